"""The registry of readers, for every skin: what there is to read on a page, how it is shown and how it is drawn."""
