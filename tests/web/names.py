"""What people, screen readers and programs that press buttons find things by: they stay as they are.

A name between slashes is a regular expression; ``{…}`` is filled in.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator
    from playwright.sync_api import Page as Tab

ADDRESSES = {
    "health": "/health",
    "login": "/login",
    "sources": "/",
    "new": "/sources/new",
    "source": "/sources/{source}",
    "edit": "/sources/{source}/edit",
    "records": "/sources/{source}/records",
    "runs": "/sources/{source}/runs",
    "changes": "/sources/{source}/changes",
    "warnings": "/warnings",
    "read": "/read",
    "settings": "/settings",
    "openapi": "/api/v1/openapi.json",
    "api_sources": "/api/v1/sources",
    "api_records": "/api/v1/sources/{source}/records",
}
HEADINGS = {
    "login": "Log in",
    "sources": "Sources",
    "new": "Add a source",
    "source": "{source}",
    "edit": "Edit {source}",
    "records": "Records of {source}",
    "runs": "Runs of {source}",
    "changes": "Changes of {source}",
    "warnings": "Warnings",
    "read": "Read a page",
    "settings": "Settings",
}
STATES = {
    "new": "Not run yet",
    "running": "Running",
    "good": "Good",
    "healed": "Healed",
    "deferred": "Deferred",
    "blocked": "Blocked",
    "paused": "Paused",
    "failed": "Failed",
}
WARNINGS = {"open": "Open", "acknowledged": "Acknowledged", "resolved": "Resolved"}
RUN_HAS_ENDED = "Finished|Failed|Stopped|Deferred"
IS_OUT_OF_DATE = "changed since|meanwhile"
NAMES = {
    "login.password": ("label", "Password"),
    "login.submit": ("button", "Log in"),
    "login.out": ("button", "Log out"),
    "frame.nav": ("navigation", "Main"),
    "frame.sources": ("link", "Sources"),
    "frame.warnings": ("link", "Warnings"),
    "frame.read": ("link", "Read a page"),
    "frame.settings": ("link", "Settings"),
    "frame.skip": ("link", "Skip to content"),
    "setup.address": ("textbox", "Address"),
    "setup.load": ("button", "Load page"),
    "setup.picture": ("img", "Picture of the page"),
    "setup.page_text": ("textbox", "Text of the page"),
    "setup.region": ("textbox", "Region of interest"),
    "setup.field": ("group", "Field 1"),
    "setup.label": ("textbox", "Label"),
    "setup.text": ("textbox", "Text"),
    "setup.add": ("button", "Add field"),
    "setup.use": ("button", "Use selection"),
    "setup.preview": ("button", "Preview"),
    "setup.preview_table": ("table", "Preview"),
    "setup.name": ("textbox", "Source name"),
    "setup.only": ("radio", "Only this page"),
    "setup.list": ("radio", "Pages linked from a list"),
    "setup.these": ("radio", "These addresses"),
    "setup.addresses": ("textbox", "Addresses"),
    "setup.next": ("checkbox", "Follow the next page"),
    "setup.key": ("combobox", "Key"),
    "setup.schedule": ("textbox", "Schedule"),
    "setup.next_runs": ("list", "Next runs"),
    "setup.tries": ("textbox", "Other pages to try"),
    "setup.try": ("button", "Try"),
    "setup.tried": ("table", "Other pages"),
    "setup.save": ("button", "Save source"),
    "source.run": ("button", "Run now"),
    "source.status": ("status", "Source status"),
    "source.edit": ("link", "Edit"),
    "source.records": ("link", "Records"),
    "run.status": ("status", "Run status"),
    "changes.table": ("table", "Changes"),
    "changes.open": ("link", "/^See the change/"),
    "changes.before": ("img", "Bar-tree before"),
    "changes.after": ("img", "Bar-tree after"),
    "warnings.table": ("table", "Warnings"),
    "warnings.ack": ("button", "/^Acknowledge/"),
    "warnings.resolve": ("button", "/^Resolve/"),
    "warnings.choose": ("link", "/^Choose another text/"),
    "warnings.state": ("combobox", "State"),
    "warnings.show": ("button", "Show"),
    "records.table": ("table", "Records"),
    "records.search": ("searchbox", "Search"),
    "records.show": ("button", "Show"),
    "records.next": ("link", "Next page"),
    "records.previous": ("link", "Previous page"),
    "records.facets": ("navigation", "Facets"),
    "records.open": ("link", "/^Open record/"),
    "records.csv": ("link", "Download CSV"),
    "records.jsonl": ("link", "Download JSON lines"),
    "records.xlsx": ("link", "Download XLSX"),
    "record.values": ("table", "Values"),
    "record.where": ("link", "/^Where it stands: price/"),
    "record.history": ("table", "History"),
    "page.picture": ("img", "Picture of the page"),
    "page.marks": ("list", "Marks"),
    "page.mark": ("img", "price"),
    "read.address": ("textbox", "Address"),
    "read.go": ("button", "Read"),
    "read.title": ("region", "Title"),
    "read.tables": ("region", "Tables"),
    "read.records": ("region", "Records"),
    "messages.error": ("alert", ""),
}


def find(tab: Tab, name: str) -> Locator:
    """Return what is found by one of the names."""
    role, said = NAMES[name]
    if role == "label":
        return tab.get_by_label(said, exact=True)
    pattern = re.compile(said[1:-1]) if said.startswith("/") else said
    return tab.get_by_role(role, name=pattern, exact=True) if said else tab.get_by_role(role)  # type: ignore[arg-type] # of its roles
