"""How much memory a process of ours keeps that it no longer needs."""

from __future__ import annotations

import ctypes
import sys

LARGE = 2**20
MMAP_THRESHOLD = -3
"""The number of this setting in C's library."""


def give_back_large_blocks() -> None:
    """Have every large block of memory given back to the system as soon as it is free, where C's library can do so.

    Otherwise it keeps what the columns of one reader took, in pieces that those of the next do not fit into: a fifth of
    what a page of hostile size takes.
    """
    if sys.platform == "linux":
        set_option = getattr(ctypes.CDLL(None), "mallopt", None)
        if set_option is not None:
            set_option(MMAP_THRESHOLD, LARGE)
