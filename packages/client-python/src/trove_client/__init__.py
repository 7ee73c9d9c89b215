"""Calls a Trove server. See ``TroveClient``."""

from ._bodies import FormFile, UploadBody
from ._errors import TroveApiError
from .generated import *  # noqa: F403
from .generated import __all__ as _generated

__all__ = [*_generated, "FormFile", "TroveApiError", "UploadBody"]
