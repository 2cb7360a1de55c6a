"""Processes of our own: fresh Pythons that run a module, the messages to and from them, and their memory."""
