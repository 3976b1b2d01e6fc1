"""What code can decide about a change is decided here: specs, runners, and the parser of rules."""
