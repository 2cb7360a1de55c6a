"""All families of hostile input, by name."""

from __future__ import annotations

import encodings_of_hay  # noqa: F401 - each module enters its families
import markup  # noqa: F401
import reaching  # noqa: F401
import servers  # noqa: F401
import sheets  # noqa: F401
from family import BOTH, FAMILIES, FIRST, LAST, Family

import scripts  # noqa: F401

IN_MEMORY = {name: family for name, family in FAMILIES.items() if not family.live}
LIVE = {name: family for name, family in FAMILIES.items() if family.live}

__all__ = ["BOTH", "FAMILIES", "FIRST", "IN_MEMORY", "LAST", "LIVE", "Family"]
