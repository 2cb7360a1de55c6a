"""The title of a page."""

from windrow.title.result import Candidate, Title
from windrow.title.tag import find_tag_title

__all__ = ["Candidate", "Title", "find_tag_title"]
