"""Every way to run Precedent."""
