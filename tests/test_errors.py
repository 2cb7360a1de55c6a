from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

import windrow
from windrow import errors
from windrow.wrapper.healing import HealReport

REPORT = HealReport(0.5, {}, ("price",), (), "The price is gone.")


def every_kind(kind: type[errors.WindrowError] = errors.WindrowError) -> list[type[errors.WindrowError]]:
    """Return the errors of the module: which others are known depends on what else was imported."""
    below = [each for each in kind.__subclasses__() if each.__module__ == errors.__name__]
    return [kind, *(found for each in below for found in every_kind(each))]


def example_of(kind: type[errors.WindrowError]) -> errors.WindrowError:
    extra: dict[type[errors.WindrowError], tuple[object, ...]] = {
        errors.StatusError: (404,),
        **dict.fromkeys((errors.LimitError, errors.TooLargeError), (windrow.parse("<p>hay"),)),
        errors.RegionGone: (REPORT,),
        errors.HealUncertain: (REPORT,),
    }
    return kind("A sentence.", *extra.get(kind, ()))


@pytest.mark.parametrize("kind", every_kind())
def test_errors_go_between_processes(kind: type[errors.WindrowError]) -> None:
    error = example_of(kind)
    again: errors.WindrowError = pickle.loads(pickle.dumps(error))  # noqa: S301 - what was pickled a moment ago
    assert type(again) is kind
    assert str(again) == str(error)
    assert again.args == error.args
    assert vars(again).keys() == vars(error).keys()
    if isinstance(again, errors.StatusError):
        assert again.status == 404
    if isinstance(again, errors.LimitError):
        assert again.page is not None
        assert again.page.text == "hay"
    if isinstance(again, errors.RegionGone | errors.HealUncertain):
        assert again.report == REPORT


def fail(status: int) -> None:
    raise errors.StatusError("A sentence.", status)


def test_an_error_comes_back_from_a_pool_of_processes() -> None:
    with ProcessPoolExecutor(1, get_context("spawn")) as pool, pytest.raises(errors.StatusError) as caught:
        pool.submit(fail, 503).result()
    assert caught.value.status == 503
