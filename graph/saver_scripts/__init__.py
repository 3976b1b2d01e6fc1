"""The atomic operations of `graph.saver`, as Lua for Redis 5 or newer."""
