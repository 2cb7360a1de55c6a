"""The screens, each a module: what it shows, and what can be done on it."""

from windrow.web.screens import (
    changes,
    collections,
    login,
    pictures,
    reading,
    record,
    records,
    runs,
    settings,
    setup,
    source,
    sources,
    warnings,
    where,
)

ROUTES = [
    *login.ROUTES,
    *sources.ROUTES,
    *settings.ROUTES,
    *pictures.ROUTES,
    *setup.ROUTES,
    *reading.ROUTES,
    *where.ROUTES,
    *warnings.ROUTES,
    *runs.ROUTES,
    *collections.ROUTES,
    *changes.ROUTES,
    *records.ROUTES,
    *record.ROUTES,
    *source.ROUTES,
]
