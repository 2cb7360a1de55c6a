"""The loader that is shared by all callers without one of their own, its methods as plain functions."""

from __future__ import annotations

from windrow.loader.loader import Loader

_loader = Loader()

load = _loader.load
parse = _loader.parse
load_many = _loader.load_many
parse_many = _loader.parse_many
close = _loader.close
