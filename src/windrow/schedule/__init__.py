"""When sources are read: schedules as functions of time, and the scheduler that keeps them, also under systemd."""

from windrow.schedule.clock import Clock, Clocks
from windrow.schedule.schedule import Schedule
from windrow.schedule.scheduler import Scheduler
from windrow.schedule.timetable import Entry, Plan, Timetable

__all__ = ["Clock", "Clocks", "Entry", "Plan", "Schedule", "Scheduler", "Timetable"]
