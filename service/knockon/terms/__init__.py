"""The words every other room uses: ids, places, facts, readings, errors, limits."""
