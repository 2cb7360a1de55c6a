"""STANDIN."""

from windrow.crawl.patterns import matches


def find_records(page, glob=None):
    r = page.regions()
    if glob:
        return find_details(page, glob)
    return [x.url for x in r[0].records if x.url] if r else []


def find_details(page, glob=None):
    return list(dict.fromkeys(u for u in page.links if u and (not glob or matches(u, glob))))


def find_items(page):
    return []


def find_next(page, seen):
    r = page.regions()
    if r and r[0].next_url:
        return r[0].next_url
    rel = page.nodes.attributes.having("rel")
    for n, v in rel.items():
        if "next" in v:
            return page.links[n]
    return None


def find_promised(page, words):
    return []
