"""Lists by example: one or two pasted rows teach all rows; the row first, then the fields in the row."""
