"""How Proofdesk is set up: embedded servers for one machine, migrations for any other.

Why it is so: the servers come from wheels, so one command works on a fresh machine without root. Each server has a
keeper that ends it with the process it belongs to, however that ends: no server is left behind, and none is stopped
that somebody else started. The application's role owns nothing; migrations run under another one.
"""
