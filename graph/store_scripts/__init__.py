"""The atomic operations of `graph.store`, as Lua for Redis 5 or newer."""
