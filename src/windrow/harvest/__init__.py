"""Sources on a schedule: settings, the loop that reads them into the store, and what is said about it."""
