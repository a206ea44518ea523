"""Between workflow and services: one method is one service call.

Why it is so: a method that decided something would decide it outside of the rules and outside of the transaction. What
an error means for the workflow stands in one table, by its class and never by its text, and travels in the failure, so
that a replay sees what was decided then. No words of an unknown error travel: they may be somebody's content.
"""
