"""The parser process: one document on standard input, one JSON object on standard output, then the end.

Input: a line of JSON (extension, declared_type, limits), then the bytes. It enters its walls before it reads a byte.
"""

import json
import sys
from functools import partial
from typing import Final

from models.errors import UnreadableDocument
from services.parsing_result import Bounds, Parsed
from services.parsing_sandbox import forbid_by_audit_hook, leave_network, limit_resources, peak_bytes

PROBE: Final = "--probe-isolation"


def main() -> None:
    """Parse what stands on standard input; never raises for what a document holds."""
    if PROBE in sys.argv:
        sys.stdout.write("namespace" if leave_network() else "audit_hook")
        return
    source = sys.stdin.buffer
    request = json.loads(source.readline(65536))
    _enter_walls(request)
    data = source.read()
    try:
        answer: dict[str, object] = {"parsed": vars(_parse(data, request))}
    except UnreadableDocument as error:
        answer = {"reason": error.reason, "message": str(error)}
    except MemoryError:
        answer = {"reason": "too_much_memory", "message": "reading this file takes too much memory: split it"}
    except RecursionError:
        answer = {
            "reason": "unsafe_content",
            "message": "this file is nested too deeply: send its text in a plain file",
        }
    answer["peak_bytes"] = peak_bytes()
    sys.stdout.buffer.write(json.dumps(answer, default=sorted, ensure_ascii=True).encode())


def _enter_walls(request: dict[str, int]) -> None:
    if request["use_namespace"]:
        leave_network()
    limit_resources(memory_bytes=request["memory_bytes"], cpu_seconds=request["cpu_seconds"])
    forbid_by_audit_hook()


def _parse(data: bytes, request: dict[str, str | int]) -> Parsed:
    from services.parsing_types import document_type

    found = document_type(data, extension=str(request["extension"]), declared_type=str(request["declared_type"]))
    bounds = Bounds(
        pages=int(request["pages"]),
        text_bytes=int(request["text_bytes"]),
        mail_parts=int(request["mail_parts"]),
        mail_depth=int(request["mail_depth"]),
        cells=int(request["cells"]),
        archive_bytes=int(request["archive_bytes"]),
    )
    if found == "docx" or found == "xlsx":  # noqa: PLR1714 -- the type checker narrows this form alone
        from services.parsing_office import parse_office

        return parse_office(data, bounds, found)
    if found == "application/pdf":
        from services.parsing_pdf import parse_pdf

        return parse_pdf(data, bounds)
    if found == "message/rfc822":
        from services.parsing_mail import parse_mail

        return parse_mail(data, bounds, None if "attached" in request else partial(_attached, request))
    if found == "application/xml":
        from services.parsing_rfq import parse_rfq_xml

        return parse_rfq_xml(data, bounds)
    if found == "application/json":
        from services.parsing_rfq import parse_rfq_json

        return parse_rfq_json(data, bounds)
    if found == "text/html":
        from services.parsing_html_document import parse_html

        return parse_html(data, bounds)
    if found == "text/csv":
        from services.parsing_csv import parse_csv

        return parse_csv(data, bounds)
    from services.parsing_text import parse_markdown, parse_text

    return (parse_markdown if found == "text/markdown" else parse_text)(data, bounds)


def _attached(request: dict[str, str | int], data: bytes, extension: str, declared_type: str) -> Parsed:
    """An attachment by the rules for files; a mail found there lists its own attachments only."""
    return _parse(data, {**request, "extension": extension, "declared_type": declared_type, "attached": 1})


if __name__ == "__main__":
    main()
