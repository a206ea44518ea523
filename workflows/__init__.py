"""The order of events, and what keeps it going: runs, the relay and the reconciler.

Why it is so: PostgreSQL holds the truth and Temporal the progress, so every run can be lost, reset or ended and the
next one goes on from what is stored. A signal only wakes a run; what it is about is read from PostgreSQL. A run that
does not find its epoch ends itself, so a start from outside changes nothing. Attempts are counted here, because
Temporal's own retries would show nothing between them. Workflow files reach activities by reference alone.
"""
