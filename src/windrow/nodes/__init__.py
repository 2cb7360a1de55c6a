"""The page as data: parallel, read-only columns, one entry a node, in document order."""

from windrow.nodes.attributes import Attributes, ListedAttributes
from windrow.nodes.columns import Kind, LateWords, Layout, Lines, Words
from windrow.nodes.elements import ColumnElements, Elements, Handle
from windrow.nodes.language import find_language
from windrow.nodes.paths import css_path, find_by_xpath, xpath
from windrow.nodes.tree import Nodes

__all__ = [
    "Attributes",
    "ColumnElements",
    "Elements",
    "Handle",
    "Kind",
    "LateWords",
    "Layout",
    "Lines",
    "ListedAttributes",
    "Nodes",
    "Words",
    "css_path",
    "find_by_xpath",
    "find_language",
    "xpath",
]
