"""What can be looked up in a repository's code: symbols, references, callers, search."""
