"""Regions of a page and the records in them."""
