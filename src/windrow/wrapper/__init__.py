"""Wrappers: learned from pasted text, they read the other pages of a site, notice template changes, heal or warn."""

from windrow.wrapper.fetch import Fetch
from windrow.wrapper.field import Field
from windrow.wrapper.gathering import Gathered, PageReading
from windrow.wrapper.healing import HealReport
from windrow.wrapper.reference import Example
from windrow.wrapper.result import Extraction
from windrow.wrapper.spot import Spot
from windrow.wrapper.template.change import Change
from windrow.wrapper.wrapper import Wrapper, learn

__all__ = [
    "Change",
    "Example",
    "Extraction",
    "Fetch",
    "Field",
    "Gathered",
    "HealReport",
    "PageReading",
    "Spot",
    "Wrapper",
    "learn",
]
