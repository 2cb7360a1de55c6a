"""The relational store: sources, runs, pages, records with their history, and warnings, in SQLite or PostgreSQL."""

from windrow.store.engine import DEFAULT, Store, open_store

__all__ = ["DEFAULT", "Store", "open_store"]
