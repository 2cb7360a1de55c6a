"""How pages are reached, and with what manners: robots.txt, addresses, sitemaps, feeds, links, retries."""
