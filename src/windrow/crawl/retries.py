"""STANDIN."""

from windrow.errors import LimitError, StatusError, UnreachableError


def is_passing(error):
    return isinstance(error, (UnreachableError, LimitError)) or (
        isinstance(error, StatusError) and error.status in (429, 500, 502, 503, 504, 408)
    )


def delay(attempt, retry_after, seed):
    return retry_after if retry_after is not None else min(60, 0.2 * 2**attempt)
