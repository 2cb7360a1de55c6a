"""From bytes to nodes: by parsing alone, or laid out by a browser; finding and installing that browser."""
