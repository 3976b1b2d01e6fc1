"""The room that hears: one ASGI app that verifies, parses, decides, accepts and rings."""
