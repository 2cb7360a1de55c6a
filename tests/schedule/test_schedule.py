from __future__ import annotations

import json
import pickle
import time
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from calendar_oracle import expected_fires, utc
from hypothesis import given
from hypothesis import strategies as st

from windrow.errors import UsageError
from windrow.schedule import Schedule

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "Africa/Cairo"]
CRONS = [
    "30 2 * * *",
    "0 */2 * * *",
    "*/30 * * * *",
    "40 * * * *",
    "0 0 * * *",
    "15 1-3 * * 1-5",
    "0 3 29 2 *",
    "5 4 L * *",
]
schedules = st.builds(
    lambda rule, zone, hours, jitter: Schedule(**rule, zone=zone, hours=hours, jitter=jitter),
    st.sampled_from([{"cron": cron} for cron in CRONS] + [{"every": each} for each in ("7 min", "6 hours", "1 day")]),
    st.sampled_from(ZONES),
    st.sampled_from([None, "08:00-20:00", "22:00-02:30", "02:15-02:45", "00:00-24:00"]),
    st.sampled_from([None, "5 min", "3 hours"]),
)
instants = st.one_of(
    st.datetimes(datetime(2020, 1, 1), datetime(2035, 1, 1)),  # noqa: DTZ001 - made UTC below
    # The nights in which clocks are changed.
    st.builds(
        lambda day, minutes: day + timedelta(minutes=minutes),
        st.sampled_from(
            [datetime.fromisoformat(f"2027-{day}") for day in ("03-27", "10-30", "03-13", "11-06", "04-03", "10-02")]
        ),
        st.integers(0, 2880),
    ),
).map(lambda moment: moment.replace(tzinfo=UTC))


@pytest.mark.parametrize(
    ("cron", "zone", "start", "fires"),
    [
        # What does not exist comes once, at the end of the gap; several become one.
        ("30 2 * * *", "Europe/Berlin", "2027-03-27T12:00", ["2027-03-28T01:00", "2027-03-29T00:30"]),
        ("*/20 2 * * *", "Europe/Berlin", "2027-03-27T12:00", ["2027-03-28T01:00", "2027-03-29T00:00"]),
        ("15 2 * * *", "Australia/Lord_Howe", "2027-10-02T12:00", ["2027-10-02T15:30", "2027-10-03T15:15"]),
        ("0 0 * * *", "Africa/Cairo", "2027-04-29T12:00", ["2027-04-29T22:00", "2027-04-30T21:00"]),
        ("0 9 * * *", "Pacific/Apia", "2011-12-29T12:00", ["2011-12-29T19:00", "2011-12-30T10:00", "2011-12-30T19:00"]),
        # What exists twice comes once, the first time.
        ("30 2 * * *", "Europe/Berlin", "2027-10-30T12:00", ["2027-10-31T00:30", "2027-11-01T01:30"]),
        ("30 1 * * *", "America/New_York", "2027-11-07T00:00", ["2027-11-07T05:30", "2027-11-08T06:30"]),
        ("45 1 * * *", "Australia/Lord_Howe", "2027-04-03T12:00", ["2027-04-03T14:45", "2027-04-04T15:15"]),
        ("30 2 * * *", "Europe/Berlin", "2027-10-31T01:15", ["2027-11-01T01:30"]),
        # Hours that are named by a step are times of day as well.
        ("0 */2 * * *", "Europe/Berlin", "2027-10-30T23:00", ["2027-10-31T00:00", "2027-10-31T03:00"]),
        ("0 */2 * * *", "Europe/Berlin", "2027-03-27T23:00", ["2027-03-28T01:00", "2027-03-28T02:00"]),
        # Minutes of every hour go on in real time.
        (
            "*/30 * * * *",
            "Europe/Berlin",
            "2027-10-31T00:10",
            ["2027-10-31T00:30", "2027-10-31T01:00", "2027-10-31T01:30", "2027-10-31T02:00"],
        ),
        ("30 * * * *", "Europe/Berlin", "2027-03-28T00:00", ["2027-03-28T00:30", "2027-03-28T01:30"]),
        ("30 0-23 * * *", "Europe/Berlin", "2027-10-31T00:00", ["2027-10-31T00:30", "2027-10-31T01:30"]),
        ("@hourly", "America/New_York", "2027-11-07T05:00", ["2027-11-07T06:00", "2027-11-07T07:00"]),
        # Rare days.
        ("0 0 29 2 *", "UTC", "2096-03-01T00:00", ["2104-02-29T00:00"]),
        ("@yearly", "UTC", "2027-01-01T00:00", ["2028-01-01T00:00"]),
        ("@weekly", "Europe/Berlin", "2027-01-01T00:00", ["2027-01-02T23:00"]),
        ("0 12 l * *", "UTC", "2027-02-01T00:00", ["2027-02-28T12:00", "2027-03-31T12:00"]),
    ],
)
def test_calendar_cases(cron: str, zone: str, start: str, fires: list[str]) -> None:
    schedule = Schedule(cron=cron, zone=zone)
    assert schedule.fires(len(fires), utc(start)) == [utc(fire) for fire in fires]


@pytest.mark.parametrize("zone", ZONES[1:4])
@pytest.mark.parametrize("start", ["2027-03-10", "2027-03-25", "2027-09-28", "2027-10-28"])
@pytest.mark.parametrize(
    ("cron", "parts"),
    [
        ("30 2 * * *", ({30}, {2})),
        ("0 */2 * * *", ({0}, set(range(0, 24, 2)))),
        ("*/15 1-2 * * *", (set(range(0, 60, 15)), {1, 2})),
        ("*/30 * * * *", ({0, 30}, range(24))),
        ("40 * * * *", ({40}, range(24))),
    ],
)
def test_cron_is_what_a_clock_on_the_wall_shows(zone: str, start: str, cron: str, parts: Any) -> None:  # noqa: ANN401
    first = utc(f"{start}T00:00")
    expected = [fire for fire in expected_fires(zone, first, 20, parts) if fire > first]
    assert Schedule(cron=cron, zone=zone).fires(len(expected) - 1, first) == expected[:-1]


@given(schedules, instants, st.timedeltas(timedelta(0), timedelta(days=2)))
def test_fires_come_in_order_and_none_is_skipped(schedule: Schedule, instant: datetime, later: timedelta) -> None:
    anchor = utc("2026-12-31T23:17")
    fire = schedule.after(instant, source="hay", anchor=anchor)
    following = schedule.after(fire, source="hay", anchor=anchor)
    assert instant < fire < following
    assert fire.tzinfo is UTC
    between = instant + later
    expected = fire if between < fire else following if between < following else None
    found = schedule.after(between, source="hay", anchor=anchor)
    assert found == expected if expected else found > following
    assert schedule.opened(fire) == fire


@given(schedules, instants)
def test_a_list_of_fires_goes_on_from_the_first(schedule: Schedule, instant: datetime) -> None:
    listed = schedule.fires(4, instant, source="hay")
    assert listed[0] == schedule.after(instant, source="hay")
    assert listed == sorted(set(listed))
    if schedule.cron:
        assert listed[1] == schedule.after(listed[0], source="hay")


@given(schedules, instants, st.text(max_size=5))
def test_jitter_delays_a_fire_by_less_than_it_may(schedule: Schedule, instant: datetime, source: str) -> None:
    if schedule.jitter is None:
        return
    plain = Schedule.from_dict({key: value for key, value in schedule.to_dict().items() if key != "jitter"})
    anchor = utc("2026-12-31T23:17")
    base = plain.after(instant, source=source, anchor=anchor)
    # The base itself is a fire, so what was asked for just before it is the base with its delay.
    fire = schedule.after(base - timedelta(microseconds=1), source=source, anchor=anchor)
    if fire < base:
        fire = schedule.after(fire, source=source, anchor=anchor)
    delay = timedelta(minutes=5) if schedule.jitter == "5 min" else timedelta(hours=3)
    assert base <= fire < min(base + delay, plain.after(base, source=source, anchor=anchor))


def test_jitter_tells_sources_and_days_apart_and_nothing_else() -> None:
    schedule = Schedule(cron="0 3 * * *", jitter="1 hour")
    start = utc("2027-01-01T00:00")
    assert schedule.after(start, source="hay") == schedule.after(start, source="hay")
    assert len({schedule.after(start, source=f"{number}") for number in range(50)}) > 40
    fires = schedule.fires(50, start, source="\ud800")
    assert len({fire.time() for fire in fires}) > 40


def test_every_is_real_time_and_keeps_its_grid() -> None:
    start = utc("2027-03-27T22:00")
    assert Schedule(every="1 day", zone="Europe/Berlin").after(start) == start + timedelta(days=1)
    anchored = Schedule(every="6 hours").after(utc("2037-03-27T22:01"), anchor=utc("2027-01-01T01:00"))
    assert anchored == utc("2037-03-28T01:00")


@pytest.mark.parametrize(
    ("hours", "instant", "fire"),
    [
        ("08:00-20:00", "2027-07-01T10:00", "2027-07-01T16:00"),
        ("08:00-20:00", "2027-07-01T12:30", "2027-07-02T06:00"),
        ("22:00-06:00", "2027-07-01T18:00", "2027-07-02T00:00"),
        ("22:00-06:00", "2027-07-01T22:30", "2027-07-02T20:00"),
        ("08:00-24:00", "2027-07-01T16:30", "2027-07-02T06:00"),
    ],
)
def test_a_fire_outside_the_hours_waits_for_the_opening(hours: str, instant: str, fire: str) -> None:
    schedule = Schedule(every="6 hours", zone="Europe/Berlin", hours=hours)
    assert schedule.after(utc(instant)) == utc(fire)


def test_fires_do_not_pile_up_at_the_opening() -> None:
    fires = Schedule(cron="*/10 * * * *", hours="08:00-08:30").fires(4, utc("2027-01-01T08:15"))
    assert fires == [utc(f"2027-01-{when}") for when in ("01T08:20", "02T08:00", "02T08:10", "02T08:20")]


@pytest.mark.parametrize("rule", [{"every": "1 second"}, {"cron": "* * * * *"}, {"cron": "0 3 29 2 *"}])
def test_a_far_jump_costs_no_more_than_a_near_one(rule: dict[str, str]) -> None:
    schedule = Schedule(**rule, zone="Europe/Berlin", hours="01:00-04:00", jitter="5 min")  # type: ignore[arg-type]
    begun = time.process_time()
    for year in range(2000, 2400, 10):
        schedule.after(utc(f"{year}-06-01T00:00"), anchor=utc("2000-01-01T00:00"))
    assert time.process_time() - begun < 2


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("90 seconds", 90),
        ("30 min", 1800),
        ("6 hours", 21_600),
        ("every 6 hours", 21_600),
        ("1 day 12 hours", 129_600),
        ("1.5 h", 5400),
        ("2h30m", 9000),
        ("1 week", 604_800),
        ("PT6H", 21_600),
        ("P1DT1M", 86_460),
        ("p1w", 604_800),
    ],
)
def test_durations(text: str, seconds: int) -> None:
    start = utc("2027-01-01T00:00")
    assert Schedule(every=text).after(start) == start + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    "wrong",
    [
        {},
        {"every": "6 hours", "cron": "0 0 * * *"},
        *({"every": text} for text in ("", "6", "hours", "6 months", "0 min", "-5 min", "1 min 2 hours", 5)),
        *({"every": text} for text in ("P", "PT", "P1M", "99999 weeks")),
        *({"cron": text} for text in ("", "* * * *", "0 30 2 * * *", "61 * * * *", "@reboot", "a b c d e", 5)),
        *({"cron": text} for text in ("0 0 31 2 *", "*/0 * * * *", "9" * 5000 + " * * * *")),
        *(
            {"every": "1 h", "zone": zone}
            for zone in ("Mars/Base", "", "../etc/passwd", "/etc/passwd", "\0", "Europe", 5)
        ),
        *({"every": "1 h", "hours": hours} for hours in ("8-20", "08:00-08:00", "25:00-26:00", "24:00-08:00", "", 5)),
        *({"every": "1 h", "jitter": jitter} for jitter in ("much", "0 s", 5)),
        {"every": "1 day", "missed": "twice"},
    ],
)
def test_what_is_no_schedule(wrong: dict[str, Any]) -> None:
    with pytest.raises(UsageError, match=r"^[^\r\n]+\. [^\r\n]+\.$"):
        Schedule(**wrong)


def test_seconds_are_refused_with_what_to_write() -> None:
    with pytest.raises(UsageError, match=r"six fields.*'30 2 \* \* 1-5'"):
        Schedule(cron="0 30 2 * * 1-5")


def test_an_instant_needs_a_zone_and_a_calendar() -> None:
    schedule = Schedule(cron="0 0 1 1 *")
    with pytest.raises(UsageError, match="no time zone"):
        schedule.after(datetime(2027, 1, 1))  # noqa: DTZ001 - that is the mistake
    with pytest.raises(UsageError, match="the calendar ends"):
        schedule.after(utc("9999-12-31T00:00"))
    local = datetime(2027, 6, 1, 2, tzinfo=ZoneInfo("Europe/Berlin"))
    assert Schedule(every="1 h").after(local) == utc("2027-06-01T01:00")


def test_plain_values_and_back() -> None:
    schedule = Schedule(cron="@daily", zone="Europe/Berlin", hours="08:00-20:00", jitter="5 min", missed="skip")
    assert Schedule.from_dict(json.loads(json.dumps(schedule.to_dict()))) == schedule
    assert Schedule(every="6 hours").to_dict() == {"every": "6 hours"}
    assert pickle.loads(pickle.dumps(schedule)) == schedule  # noqa: S301 - what was pickled a moment ago
    with pytest.raises(UsageError, match="no 'evry'"):
        Schedule.from_dict({"evry": "6 hours"})
