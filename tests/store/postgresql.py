"""Runs a server of PostgreSQL's for the tests, until the process that it is told to watch has ended.

python postgresql.py BINARIES FOLDER WATCHED

``initdb`` and ``postgres`` refuse to run as root, so this gives the root's rights up first.
"""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

USERS = ("postgres", "nobody")
"""Those that root may run the server as."""
FAST = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "shared_buffers=32MB", "max_connections=60")
"""What makes a server quick whose data nobody needs tomorrow."""


def give_up_rights(folder: Path) -> None:
    """Go on as another user, who owns the folder."""
    if os.getuid() != 0:
        return
    for name in USERS:
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        os.chown(folder, user.pw_uid, user.pw_gid)
        os.setgroups([])
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)
        return


def is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def main(binaries: Path, folder: Path, watched: int) -> None:
    os.setsid()
    give_up_rights(folder)
    os.chdir(folder)
    data = folder / "data"
    subprocess.run(  # noqa: S603 - the server's own program
        [binaries / "initdb", "-N", "-D", data, "-U", "windrow", "-A", "trust", "-E", "UTF8", "--locale=C"],
        check=True,
        stdout=subprocess.DEVNULL,
    )
    settings = [
        word
        for setting in (*FAST, "listen_addresses=", f"unix_socket_directories={folder}")
        for word in ("-c", setting)
    ]
    server = subprocess.Popen([binaries / "postgres", "-D", data, *settings])  # noqa: S603 - as above
    while is_alive(watched) and server.poll() is None:
        time.sleep(0.3)
    server.send_signal(signal.SIGQUIT)
    server.wait()
    os.chdir("/")
    shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
