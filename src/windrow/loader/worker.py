"""The program of a worker process: takes tasks from its standard input, and sends back what is made of their pages."""

from __future__ import annotations

import logging
import os
import queue
import threading
from typing import TYPE_CHECKING, Any

from windrow.loader.loader import Loader
from windrow.loader.siblings import introduced, with_sibling
from windrow.process.channel import ChannelClosed, read_message, write_message
from windrow.process.memory import give_back_large_blocks
from windrow.process.program import take_pipes

if TYPE_CHECKING:
    from collections.abc import Callable

    from windrow.loader.outcome import Outcome
    from windrow.loader.task import Task


def main() -> None:
    """Serve until the program that started this process closes the pipe, or ends in whatever way."""
    give_back_large_blocks()
    tasks_in, out = take_pipes()
    answers = _Answers(out)
    level: int = read_message(tasks_in)
    logging.getLogger("windrow").setLevel(level)
    logging.getLogger("windrow").addHandler(_Forwarding(answers))
    waiting: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(tasks_in, waiting), daemon=True).start()
    loader = Loader(workers=1)
    answers.send("ready", os.getpid())
    while True:
        asked: tuple[Callable[[Outcome], Any], Task, bool] | Exception = waiting.get()
        if isinstance(asked, Exception):
            answers.send("raised", asked)
            continue
        try:
            work, task, is_introduced = asked
            outcome = loader.outcome_of(task)
            if is_introduced:
                outcome = introduced(outcome)
                answers.send("says", outcome.says)
                outcome = with_sibling(outcome, waiting.get())
            answers.send("done", work(outcome))
        except Exception as error:  # noqa: BLE001 - raised again in the program that wants the result
            answers.send("raised", error)


def _receive(pipe: int, waiting: queue.SimpleQueue[Any]) -> None:
    """Take tasks in while another is worked on, so that the end of the program is noticed at once."""
    while True:
        try:
            waiting.put(read_message(pipe))
        except ChannelClosed:
            os._exit(0)  # the supervisors of our browsers end those
        except Exception as error:  # noqa: BLE001 - work that can't be had here, such as a function of a script
            waiting.put(error)


class _Answers:
    """The way back, which one thread uses at a time."""

    def __init__(self, pipe: int) -> None:
        self._pipe = pipe
        self._lock = threading.Lock()

    def send(self, kind: str, value: object) -> None:
        try:
            with self._lock:
                write_message(self._pipe, (kind, value))
        except ChannelClosed:
            os._exit(0)


class _Forwarding(logging.Handler):
    """Sends log records to the program that started this process."""

    def __init__(self, answers: _Answers) -> None:
        super().__init__()
        self._answers = answers

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:  # a traceback does not go between processes, its text does
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        record.msg, record.args, record.exc_info = record.getMessage(), None, None
        self._answers.send("log", record)
