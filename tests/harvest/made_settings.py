"""Settings of every shape, for properties that hold of all of them."""

from __future__ import annotations

from hypothesis import strategies as st

from windrow.harvest.checks import WITHOUT_PAGE
from windrow.harvest.settings import (
    CollectionSettings,
    Follow,
    Keep,
    Manners,
    Network,
    Read,
    SourceSettings,
    Warn,
)
from windrow.schedule import Schedule

lines = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12)
texts = lines.filter(lambda text: bool(text.strip()))
names = st.one_of(
    texts.filter(lambda text: text not in WITHOUT_PAGE and not text.endswith(".json")),
    st.sampled_from(['a"b', "a.b", "'; DROP TABLE", "a\\b", "\u2028", "source", "#", " ", "=", "[x]"]),
)
several = st.lists(texts, unique=True, max_size=3).map(tuple)
labels = st.lists(texts, unique=True, min_size=1, max_size=3).map(tuple)

reads = st.one_of(
    st.builds(Read, wrapper=texts, key=labels),
    st.builds(Read, reader=st.just("tables"), keyword=st.none() | texts, key=labels),
    st.builds(Read, reader=st.sampled_from(["records", "toplist"])),
)
schedules = st.one_of(
    st.none(),
    st.builds(Schedule, every=st.sampled_from(["6 hours", "1 day"]), jitter=st.sampled_from([None, "5 min"])),
    st.builds(
        Schedule, cron=st.just("30 2 * * 1-5"), zone=st.just("Europe/Berlin"), missed=st.sampled_from(["once", "skip"])
    ),
)
networks = st.builds(
    Network,
    render=st.sampled_from([True, False, "auto"]),
    headers=st.dictionaries(st.sampled_from(["X-Hay", "Accept", "X-Token"]), st.sampled_from(["env:HAY", "file:hay"])),
    session=st.none() | texts,
    proxy=st.sampled_from([None, "http://host:3128", "env:PROXY"]),
    language=st.sampled_from(["en", "de-AT"]),
    seconds=st.floats(0.01, 86_400),
)
sources = st.builds(
    SourceSettings,
    name=names,
    start=st.lists(
        st.sampled_from(["https://x", "http://x/p/{1..20}", "HTTPS://x:8/?q=ä"]), unique=True, min_size=1
    ).map(tuple),
    start_file=st.none() | texts,
    follow=st.builds(
        Follow,
        list=st.sampled_from(["none", "region", "links", "toplist", "sitemap", "feed"]),
        next=st.sampled_from(["auto", "none", "load-more", "scroll"]),
        detail=st.none() | texts,
        promise=several,
        depth=st.integers(0, 100),
    ),
    read=reads,
    schedule=schedules,
    manners=st.builds(Manners, rate=st.floats(0.001, 1000), retries=st.integers(0, 9), robots=st.booleans()),
    network=networks,
    keep=st.builds(Keep, pages=st.booleans()),
    warn=st.builds(
        Warn,
        fewer=st.floats(0, 1),
        gone=st.sampled_from(["defer", "continue"]),
        send=st.sampled_from([(), ("env:MAIL",), ("json://host/hook", "file:mail")]),
        least=st.sampled_from(["info", "warning", "error"]),
    ),
)
collections = st.builds(
    CollectionSettings,
    name=names,
    key=labels,
    match=st.sampled_from(["normalised", "exact"]),
    likeness=st.none() | st.floats(0, 1),
    compare=labels,
    sources=st.dictionaries(names, st.dictionaries(texts, texts, max_size=3), max_size=3),
    types=st.dictionaries(texts, st.sampled_from(["number", "money", "date", "address", "text"]), max_size=2),
)
