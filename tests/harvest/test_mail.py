"""Warnings by mail: what pages say is text there, too."""

from __future__ import annotations

import socketserver
import threading
from email import message_from_bytes, policy

from windrow.harvest.notification import send

TEXT = 'The price is <img src="https://evil.example/x"> and <a href="https://evil.example/">5 € & more</a>.'


class Letters(socketserver.StreamRequestHandler):
    """Takes letters, as a mail server does."""

    taken: list[bytes]

    def handle(self) -> None:
        self.wfile.write(b"220 barn.example\r\n")
        while word := self.rfile.readline()[:4].upper().strip():
            if word == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                self.taken.append(b"".join(iter(self.rfile.readline, b".\r\n")))
            self.wfile.write(b"221 bye\r\n" if word == b"QUIT" else b"250 well\r\n")


def test_what_pages_say_is_text_in_a_mail() -> None:
    taken: list[bytes] = []
    handler = type("Handler", (Letters,), {"taken": taken})
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        port = server.server_address[1]
        address = f"mailto://127.0.0.1:{port}?from=a@barn.example&to=b@barn.example&mode=insecure"
        send([address], "Windrow: <b>barn</b>", TEXT, allow_private=True)
        server.shutdown()
    (letter,) = (message_from_bytes(each, policy=policy.default) for each in taken)
    texts = {part.get_content_type(): part.get_content() for part in letter.walk() if not part.is_multipart()}
    assert texts["text/plain"].strip() == TEXT
    assert not any("<img" in text for kind, text in texts.items() if kind != "text/plain")
