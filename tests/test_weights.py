from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from windrow.weights import Calibration

FINITE = st.floats(-1e6, 1e6)


@given(FINITE, FINITE, FINITE)
def test_confidence_is_a_probability_that_grows_with_what_speaks_for_it(bias: float, low: float, high: float) -> None:
    calibration = Calibration(bias, {"lead": 1.0})
    less, more = (calibration.confidence({"lead": lead}) for lead in sorted((low, high)))
    assert 0 <= less <= more <= 1


def test_confidence_of_even_odds_is_a_half() -> None:
    assert Calibration(-2.0, {"lead": 2.0, "count": 1.0}).confidence({"lead": 0.5, "count": 1.0}) == 0.5


def test_a_signal_that_is_not_given_is_no_zero() -> None:
    with pytest.raises(KeyError):
        Calibration(0.0, {"lead": 1.0}).confidence({})
