"""GitLab's Code Quality report, shown in merge requests."""
