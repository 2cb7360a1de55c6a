"""The server for language models: tools over MCP that read pages and query the store, each value with its place."""
