"""A small GitHub and Slack on your own machine, for `precedent dev`, the demo and the tests."""
