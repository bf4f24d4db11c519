"""Any text that can be written as UTF-8, for tests of laws."""

from hypothesis import strategies as st

# Without `codec`, by which a first run tries every character there is, for more than a second in each process.
CHARACTERS = st.characters(exclude_categories=("Cs",))


def texts(*, max_size: int | None = None) -> st.SearchStrategy[str]:
    """Give texts of at most `max_size` characters, of any length if there is none."""
    return st.text(CHARACTERS, max_size=max_size)
