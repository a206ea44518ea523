"""What a process writes to its log: ids, codes, class names and places in our code; never anybody's words.

Why it is so: messages and exception texts of libraries quote what they worked on (a payload, a row, a value), at any
level and unforeseeably. So of a line that is not ours only logger, level and the class of the exception are written.
"""

import logging
import sys

import structlog

from services.settings import Settings


class _Nameless(logging.Formatter):
    """A line of a library: who says it and what class of exception it is about."""

    def format(self, record: logging.LogRecord) -> str:
        kind = record.exc_info[0] if record.exc_info else None
        return " ".join([record.name, record.levelname, *([] if kind is None else [kind.__name__])])


def configure_logs(settings: Settings) -> None:
    """One JSON object a line on stderr from our own code; of the libraries the errors alone, without their words."""
    level = logging.getLevelNamesMapping()[settings.log_level.upper()]
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Nameless())
    logging.basicConfig(level=max(level, logging.ERROR), handlers=[handler])
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
