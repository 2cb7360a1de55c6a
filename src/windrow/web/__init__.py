"""The web interface and the API: a thin skin over the library, behind one gate that looks at every request."""
