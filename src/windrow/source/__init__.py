"""Where pages come from: the one guarded way out to the network, our own HTTP client, and saved files."""
