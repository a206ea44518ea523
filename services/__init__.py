"""What the product does, without Temporal.

Why it is so: a service can be called by an activity, a command or a test, and does its work in one transaction with its
audit row and its notification; so nothing is told that was not written, and nothing written stays untold. Who acts, and
with which rights, is read in that transaction and never taken from the caller. Ports (`ports.py`) exist only where the
outside is not deterministic; `clients/` implements them and alone may use models and networks.
"""
