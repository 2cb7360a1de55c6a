"""From bytes to nodes: by parsing alone, or laid out by a headless browser."""
