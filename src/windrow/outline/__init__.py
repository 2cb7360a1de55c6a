"""What a page is made of: its visible text, and its landmarks and headings as an outline."""

from windrow.outline.outline import Entry, Outline, find_outline
from windrow.outline.text import Text, find_text

__all__ = ["Entry", "Outline", "Text", "find_outline", "find_text"]
