"""The HTML tree-construction tests of the web platform, against our own page arrays.

    WINDROW_BENCH_DATA=… python bench/conformance.py [--show N]

Every test's tree is written out from ``Nodes`` (kind, parent, tag, attributes, text) in the format of the tests and
compared line by line. Then the URL cases are resolved the way ``Page.link`` does it, and every naughty string goes
through a whole page.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

import turbohtml
from data import data_folder, verdict

import windrow
from windrow.nodes import Kind, Nodes
from windrow.render.structure import html_to_nodes, tree_to_nodes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LEAST_TREES = 0.97
FOREIGN_ATTRIBUTES = frozenset(
    {
        "xml:lang",
        "xml:space",
        "xmlns:xlink",
        *(f"xlink:{name}" for name in "actuate arcrole href role show title type".split()),
    }
)


@dataclass(frozen=True)
class TreeTest:
    """One test: what goes in, in which context, and the tree that must come out."""

    name: str
    data: str
    context: str
    scripting: bool | None
    expected: str


def main() -> int:
    """Run all three sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=int, default=0, help="print so many failing trees")
    show = parser.parse_args().show
    folder = data_folder("conformance")
    tests = [test for file in sorted((folder / "tree-construction").glob("*.dat")) for test in read_tests(file)]
    failures = [test for test in tests if run(test) != test.expected]
    print(f"{len(tests) - len(failures)} of {len(tests)} trees")
    for kind, count in Counter(
        f"{test.name.partition(':')[0]}{' (fragment)' if test.context else ''}" for test in failures
    ).items():
        print(f"  {count} in {kind}")
    for test in failures[:show]:
        print(f"\n{test.name}\n{test.data}\n--- expected\n{test.expected}\n--- got\n{run(test)}")
    reached = [verdict("trees as expected", 1 - len(failures) / len(tests), LEAST_TREES)]
    reached.append(check_urls(json.loads((folder / "urltestdata.json").read_text(encoding="utf-8"))))
    reached.append(check_strings(json.loads((folder / "naughty-strings.json").read_text(encoding="utf-8"))))
    return 0 if all(reached) else 1


def read_tests(file: Path) -> Iterator[TreeTest]:
    """Read a file of tests; the format is that of html5lib-tests."""
    text = file.read_bytes().decode("utf-8", "surrogatepass")
    for number, block in enumerate(("\n" + text).split("\n#data\n")[1:]):
        parts: dict[str, str] = {}
        section, lines = "data", list[str]()
        for line in block.split("\n"):
            if line in ("#errors", "#new-errors", "#document-fragment", "#script-on", "#script-off", "#document"):
                parts[section] = "\n".join(lines)
                section, lines = line[1:], []
            else:
                lines.append(line)
        parts[section] = "\n".join(lines)
        scripting = True if "script-on" in parts else False if "script-off" in parts else None
        yield TreeTest(
            f"{file.name}:{number}",
            parts["data"],
            parts.get("document-fragment", "").strip(),
            scripting,
            parts["document"].rstrip("\n"),
        )


def run(test: TreeTest) -> str:
    """Parse a test's input and write the tree out."""
    scripting = bool(test.scripting)
    if test.context:
        element = turbohtml.parse_fragment(test.data, context=test.context, scripting=scripting, positions=False)
        return write_tree(tree_to_nodes(element))
    return write_tree(html_to_nodes(test.data, scripting=scripting))


def write_tree(nodes: Nodes) -> str:
    """Write page arrays in the format of the tests."""
    lines = []
    depth = nodes.depth
    for node in range(1, len(nodes)):
        indent = "| " + "  " * (int(depth[node]) - 1)
        kind, text = nodes.kind[node], nodes.text[node]
        if kind == Kind.ELEMENT:
            lines.append(
                f"{indent}<{nodes.tag[node].replace(':', ' ', 1) if is_foreign(nodes, node) else nodes.tag[node]}>"
            )
            attributes = {
                adjust(name, foreign=is_foreign(nodes, node)): value for name, value in nodes.attributes[node].items()
            }
            lines += [f'{indent}  {name}="{attributes[name]}"' for name in sorted(attributes)]
        elif kind == Kind.TEXT:
            lines.append(f'{indent}"{text}"')
        elif kind == Kind.COMMENT:
            lines.append(f"{indent}<!-- {text} -->")
        elif kind == Kind.DOCTYPE:
            lines.append(f"{indent}<!DOCTYPE {text}>")
        elif kind == Kind.INSTRUCTION:
            lines.append(f"{indent}<?{text}?>")
        elif kind == Kind.FRAGMENT:
            lines.append(f"{indent}content")
    return "\n".join(lines)


def is_foreign(nodes: Nodes, node: int) -> bool:
    """Whether an element is SVG's or MathML's."""
    return nodes.tag[node].startswith(("svg:", "math:"))


def adjust(name: str, *, foreign: bool) -> str:
    """Write a namespaced attribute as the tests do."""
    return name.replace(":", " ", 1) if foreign and name in FOREIGN_ATTRIBUTES else name


def check_urls(cases: list[object]) -> bool:
    """Resolve every URL case as a link on a page; a wrong address is worse than none."""
    wrong = []
    links = [case for case in cases if isinstance(case, dict)]
    for case in links:
        base = case.get("base") or ""
        page = windrow.parse("<a></a>", url=base)
        found = page.resolve(case["input"])
        expected = None if case.get("failure") else case["href"]
        if found != expected:
            wrong.append((case["input"], base, expected, found))
    for line in wrong[:10]:
        print("  wrong address:", *map(ascii, line))
    return verdict(f"wrong addresses of {len(links)} URL cases", len(wrong), 0, most=True)


def check_strings(strings: list[str]) -> bool:
    """Put every naughty string into a page's text, title, attribute and address; nothing may crash or be lost."""
    lost = 0
    for string in strings:
        escaped = string.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
        page = windrow.parse(
            f'<title>{escaped}</title><p title="{escaped}"><a href="{escaped}">{escaped}</a>',
            url="https://example.org/",
        )
        link = page.nodes.tag.where("a").tolist()[0]
        _ = page.title().text, page.links, page.text
        clean = (
            string.encode("utf-16-le", "surrogatepass")
            .decode("utf-16-le", "replace")
            .replace("\r\n", "\n")
            .replace("\r", "\n")
            .replace("\0", "")
        )
        lost += clean != page.nodes.own_text(link)
    return verdict(f"texts lost of {len(strings)} naughty strings", lost, 0, most=True)


if __name__ == "__main__":
    sys.exit(main())
