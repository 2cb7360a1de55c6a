"""From a text to what it says: a number, a share, an amount of money, a date, a duration; the text stays beside it."""

from windrow.value.reading import Value, read_value, read_values

__all__ = ["Value", "read_value", "read_values"]
