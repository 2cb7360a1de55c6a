"""STANDIN."""

from __future__ import annotations

import tomllib
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Follow:
    list: str = "none"
    next: str = "auto"
    detail: str | None = None
    promise: tuple[str, ...] = ()
    depth: int = 1
    pages: int = 10000


@dataclass(frozen=True, kw_only=True)
class Read:
    wrapper: str | None = None
    reader: str | None = None
    keyword: str | None = None
    key: tuple[str, ...] = ("url",)


@dataclass(frozen=True, kw_only=True)
class Manners:
    rate: float = 0.5
    concurrency: int = 1
    retries: int = 5
    robots: bool = True


@dataclass(frozen=True, kw_only=True)
class Network:
    render: bool | str = True
    allow_private: bool = False
    headers: dict = field(default_factory=dict)
    session: str | None = None
    proxy: str | None = None
    user_agent: str | None = None
    language: str = "en"
    seconds: float = 30


@dataclass(frozen=True, kw_only=True)
class Keep:
    pages: bool = False


@dataclass(frozen=True, kw_only=True)
class Warn:
    fewer: float = 0.5
    fall: float = 0.3
    gone: str = "defer"
    send: tuple = ()
    least: str = "warning"


@dataclass(frozen=True, kw_only=True)
class SourceSettings:
    name: str
    start: tuple[str, ...]
    start_file: str | None = None
    follow: Follow = Follow()
    read: Read = Read()
    schedule: Any = None
    manners: Manners = Manners()
    network: Network = Network()
    keep: Keep = Keep()
    warn: Warn = Warn()

    def to_dict(self):
        import json

        return json.loads(json.dumps(asdict(self)))

    @classmethod
    def from_dict(cls, d):
        d = dict(d)
        for n, k in dict(follow=Follow, read=Read, manners=Manners, network=Network, keep=Keep, warn=Warn).items():
            v = dict(d.get(n) or {})
            for f, x in v.items():
                if isinstance(x, list):
                    v[f] = tuple(x)
            if n == "follow" and d.get(n) and "list" not in v:
                v["list"] = "region"
            d[n] = k(**v)
        d["start"] = tuple(d["start"])
        return cls(**d)


def parse_toml(text):
    plain = tomllib.loads(text)
    return [
        SourceSettings.from_dict({"name": n, **{k: v for k, v in s.items() if k != "schedule"}})
        for n, s in plain.get("source", {}).items()
    ], []


def resolve_secret(x):
    import os

    return os.environ[x[4:]] if x.startswith("env:") else x
