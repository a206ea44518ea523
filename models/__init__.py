"""The contracts and the rules of the product, pure: no clock, randomness, environment or I/O; `now` is an argument.

Why it is so: workflow, service, test and evaluation ask the same function, so a rule is right or wrong in one place;
and what a workflow calls gives the same answer at every replay. Contracts are frozen and refuse unknown keys: what is
hashed, signed or shown cannot change afterwards, and a newer writer is noticed instead of half understood. Evidence is
trusted for its checks (version, permission, validity, hash, span), never for its similarity.
"""
