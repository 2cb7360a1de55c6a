"""The template that pages share: its bar-tree, skeleton and surroundings; whether a page shows it, and what changed."""
