"""The API for programs under ``/api/v1``: what the command and the pages can do, as JSON."""
