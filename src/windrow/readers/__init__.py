"""The registry of readers, for every skin: what there is to read on a page, how it is shown and how it is drawn."""

from windrow.readers.registry import EVERY, READERS, Reader, Settings, choose_readers, page_to_marks, page_to_plain
from windrow.readers.show import Block

__all__ = ["EVERY", "READERS", "Block", "Reader", "Settings", "choose_readers", "page_to_marks", "page_to_plain"]
