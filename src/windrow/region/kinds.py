"""What a text looks like: a price, a date, a number, a rating, or plain words."""

from __future__ import annotations

import re

CURRENCY = r"(?:[$€£¥₹₽₩₺₫₴₪₱฿]|\b(?:USD|EUR|GBP|JPY|INR|RUB|CAD|AUD|CHF|CNY|SEK|NOK|DKK|PLN|CZK|BRL|Rs|kr|zł|руб)\b\.?)"
MONTH = (
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mär|mai|juni|juli|okt|dez|janv|févr|avr|juin|juil|août|déc|"
    r"ene|abr|ago|dic|янв|фев|мар|апр|мая|июн|июл|авг|сен|окт|ноя|дек)[\w.]*"
)
PRICE = re.compile(rf"{CURRENCY}\s*\d|\d\s*{CURRENCY}", re.IGNORECASE)
DATE = re.compile(
    rf"\b{MONTH}\s+\d{{1,2}}\b|\b\d{{1,2}}\.?\s+{MONTH}|\b\d{{4}}[-/.]\d{{1,2}}[-/.]\d{{1,2}}\b|"
    rf"\b\d{{1,2}}[-/.]\d{{1,2}}[-/.]\d{{2,4}}\b|\b{MONTH}\s+\d{{4}}\b|"
    r"\b(?:\d+|an?)\s+(?:second|minute|min|hour|hr|day|week|month|year)s?\s+ago\b|\byesterday\b|\btoday\b",
    re.IGNORECASE,
)
RATING = re.compile(r"\b\d(?:[.,]\d+)?\s*(?:/|out of|von|sur|de)\s*(?:5|10)\b|\b\d(?:[.,]\d+)?\s*stars?\b|[★☆⭐]", re.IGNORECASE)
NUMBER = re.compile(r"[(\[#+-]?\s*\d[\d.,\s]*[kKmM%+)\]]*")
ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)+/\S*")
SHORT = 48
"""A text longer than this is words, whatever date or price it mentions."""


def kind_of(text: str) -> str:
    """Name the kind of a text: price, date, rating, number, address or text."""
    if len(text) > SHORT:
        return "text"
    if PRICE.search(text):
        return "price"
    if DATE.search(text):
        return "date"
    if RATING.search(text):
        return "rating"
    if NUMBER.fullmatch(text.strip()):
        return "number"
    return "address" if ADDRESS.fullmatch(text.strip()) else "text"
