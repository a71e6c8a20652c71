"""Statistics that every benchmark needs: intervals, tests, agreement, sampling."""
