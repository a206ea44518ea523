"""Brings a server of one's own up to date: `PROOFDESK_OWNER_DATABASE_URL=... python -m deploy.migrations`.

`deploy/roles.sql` comes first. The embedded stack migrates by itself.
"""

import asyncio
import sys

from models.errors import InvalidInput, ProofdeskError
from services.settings import load_settings
from store.migrate import migrate


def main() -> int:
    """0 when the schema is up to date, 1 with the reason on standard error otherwise."""
    try:
        url = load_settings().owner_database_url
        if url is None:
            raise InvalidInput(
                "set PROOFDESK_OWNER_DATABASE_URL to postgresql://proofdesk_owner:PASSWORD@HOST/DATABASE"
            )
        done = asyncio.run(migrate(url.get_secret_value()))
    except ProofdeskError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    sys.stdout.write("".join(f"{name}\n" for name in done) or "nothing to do\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
