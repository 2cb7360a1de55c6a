"""``Field``: what a person says of a label beside its text: of what type it is, how many values, whether required."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

from windrow.errors import UsageError
from windrow.result import TYPES, Column, DeclaredType, declared_column

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, kw_only=True)
class Field:
    """What is known of a label beside its places; nothing, unless somebody says it."""

    type: DeclaredType | None = None
    """What its values are; None where the values themselves tell."""
    several: bool | None = None
    """Whether it may have several values: several of a label that has one are doubtful. None where nobody said."""
    required: bool = True
    """Whether a page that lacks it is not as it was learned."""

    def __post_init__(self) -> None:
        """Refuse what is no type and no answer."""
        if self.type is not None and self.type not in TYPES:
            raise UsageError(f"There is no type {self.type!r}; there are: {', '.join(TYPES)}.")
        answers: tuple[object, ...] = (self.required, self.several or False)
        if not all(isinstance(answer, bool) for answer in answers):
            raise UsageError("several and required are True or False. Write them so, or leave them out.")

    def column(self, label: str, language: str) -> Column:
        """Return the column of the label, before its values are known."""
        return declared_column(label, self.type, language)

    def to_dict(self) -> dict[str, Any]:
        """Return what was said, as JSON can hold it."""
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name)) != each.default}

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Field:
        """Return what ``to_dict`` wrote."""
        return cls(**plain)


AS_IT_COMES = Field()
"""What holds of a label of which nobody said anything."""


def check_fields(given: Mapping[str, Field], labels: Iterable[str]) -> dict[str, Field]:
    """Return what was said of each label, in their order; ``UsageError`` where there is no such label."""
    known = list(labels)
    for label, field in given.items():
        if label not in known:
            raise UsageError(f"There is no label {label!r} to say anything of; there are: {', '.join(known)}.")
        if not isinstance(field, Field):
            raise UsageError(f"What is said of {label!r} is not a Field. Write it as in Field(type='money').")
    return {label: given[label] for label in known if given.get(label, AS_IT_COMES) != AS_IT_COMES}
