"""Processes of our own: fresh Pythons that run a module, and the messages to and from them."""
