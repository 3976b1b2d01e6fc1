"""The room that thinks: the review graph and its memory. Knows no Celery, HTTP, Slack or PyGithub."""
