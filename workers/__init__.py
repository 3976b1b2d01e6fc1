"""The room that acts: Celery tasks, the durable inbox, GitHub and Slack, the command line."""
