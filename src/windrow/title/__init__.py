"""The title of a page: TTA and TitleFinder as their papers give them, and our best."""

from windrow.title.baselines import find_tag_title, find_titlefinder_title
from windrow.title.best import find_best_title
from windrow.title.elsewhere import PageNames, find_page_names
from windrow.title.result import Candidate, Title
from windrow.title.tta import find_tta_title

__all__ = [
    "Candidate",
    "PageNames",
    "Title",
    "find_best_title",
    "find_page_names",
    "find_tag_title",
    "find_titlefinder_title",
    "find_tta_title",
]
