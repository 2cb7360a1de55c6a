"""The scripts that run in a live page, in a world of their own: what to look for, how to scroll, what to press."""

from __future__ import annotations

import json

MORE_LABELS = (
    r"^\s*(load|show|view|see)\s+(\d+\s+)?more\b",
    r"^\s*more\s+(results|items|posts|products)\b",
    r"^\s*mehr\s+(laden|anzeigen)",
    r"^\s*weitere\b.*(laden|anzeigen)",
    r"^\s*(afficher|voir|charger)\s+(plus|la suite)",
    r"^\s*(ver|mostrar|cargar)\s+m[aá]s",
    r"^\s*(ver|mostrar|carregar)\s+mais",
    r"^\s*(mostra|carica)\s+altr",
    r"^\s*(meer\s+(laden|tonen)|toon\s+meer)",
    r"^\s*(visa|ladda)\s+(fler|mer)",
    r"^\s*(vis|last)\s+(flere|mer|inn flere)",
    r"^\s*n[aä]yt[aä]\s+lis[aä]+",
    r"(показать|загрузить) ещ[её]",
    r"もっと見る",
    r"さらに(表示|読み込む)",
    r"(加载|查看|載入)更多",
    r"더\s*보기",
)
"""What stands on buttons that load more, in the languages that we met."""

SCROLL = """(() => {
    const page = document.scrollingElement || document.documentElement;
    const before = page.scrollTop;
    page.scrollTop += innerHeight;
    return page.scrollTop > before;
})()"""

SCROLL_BACK = "window.scrollTo(0, 0)"

_PRESS = """(() => {
    const wanted = new RegExp(%s, 'i');
    const buttons = 'button, [role=button], a, input[type=button], input[type=submit]';
    for (const one of document.querySelectorAll(buttons)) {
        const box = one.getBoundingClientRect();
        const label = one.innerText || one.value || one.getAttribute('aria-label') || '';
        if (box.width && box.height && !one.disabled && label.length < 60 && wanted.test(label)) {
            one.click();
            return true;
        }
    }
    return false;
})()"""

LOAD_MORE = _PRESS % json.dumps("|".join(MORE_LABELS))

_RESTORE = """(() => {
    const mine = (%s)[location.origin] || {};
    for (const [key, value] of Object.entries(mine)) {
        try { localStorage.setItem(key, value); } catch (refused) { /* this origin has no storage */ }
    }
})()"""


def has_selector(selector: str) -> str:
    """Return a script that tells whether a CSS selector matches."""
    return f"document.querySelector({json.dumps(selector)}) !== null"


def has_text(text: str) -> str:
    """Return a script that tells whether a text stands on the page."""
    return f"document.body !== null && document.body.innerText.includes({json.dumps(text)})"


def restore_storage(storage: object) -> str:
    """Return a script that restores a session's local storage as each origin's pages load."""
    return _RESTORE % json.dumps(storage)
