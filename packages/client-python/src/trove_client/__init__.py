"""Calls a Trove server. See ``TroveClient``."""

from ._bodies import FormFile, UploadBody
from ._errors import TroveApiError
from ._events import AskPassages, AskRestart, AskStreamEvent, AskText, ask_events
from .generated import *  # noqa: F403
from .generated import __all__ as _generated

__all__ = [
    *_generated,
    "AskPassages",
    "AskRestart",
    "AskStreamEvent",
    "AskText",
    "FormFile",
    "TroveApiError",
    "UploadBody",
    "ask_events",
]
