"""STANDIN."""
