"""The only package that knows SQL, PostgreSQL's driver and vectors.

Why it is so: the tenant is set in the transaction that reads and writes, and row security is forced, so a query that
forgets its `where` sees nothing instead of everything; nothing else touches the pool. Statements are constant text in
`sql/queries`, resource first and under the name of their Python function, and each is prepared in a test under the
application's role. There are no repository classes: compare-and-swap, locks and constraints are the behaviour, so tests
run on the real server. Every writer of a task locks its row first, then documents; so no two wait for each other.
"""
