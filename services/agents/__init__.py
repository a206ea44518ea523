"""The agents where a model answers: asked in one place, believed in none.

Why it is so: each agent has a prompt and a file of its own and shares no text with another. A model gets data and gives
text; the text is parsed, checked against the rules in models/ and dropped. It has no tool, no address and no state, so
that whatever stands in a mail can at most make an answer useless. Tokens are booked around every call, here alone.
"""
