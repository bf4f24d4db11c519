"""JUnit XML, for the test reports of CI servers."""
