"""The command `proofdesk`: one file for each noun, composed in cli.py.

A new noun is a `typer.Typer` in a file of its own here and one `add_typer` in cli.py. A command body is one
`with reporting(as_json, lang) as out:` around one service call:

* `options` holds the options that every command shares, `connection` opens the store and resolves who acts,
  `output` prints and is the one place where an error becomes an exit status, `texts` holds what people read.
* Exit 0: done. 1: refused, `code: message` on stderr (with `--json` one JSON object). 2: wrong usage.
"""
