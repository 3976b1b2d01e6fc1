"""The room that thinks: the review graph and its memory; no Celery, HTTP, Slack or PyGithub."""
