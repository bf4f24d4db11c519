"""Laws of columns and line ends, on any text."""

from hypothesis import given
from hypothesis import strategies as st

from knockon.formats.base import Column, Page, Paragraph, Report, Table
from knockon.formats.table.render import TableFormat, painted
from knockon.formats.table.width import columns_of, line_width, printable, wrapped
from tests.texts import texts

TEXTS = st.text(alphabet=st.sampled_from("ab -_/.,。，（）张量并行é\u0301\u200bＡ🙂\t\n"), max_size=80)


@given(TEXTS, st.integers(1, 60))
def test_no_line_is_wider_than_the_page(text: str, width: int) -> None:
    # One wide character needs two columns whatever the page has.
    assert [line for line in wrapped(text, width) if line_width(line) > max(2, width)] == []


@given(TEXTS, st.integers(1, 60))
def test_wrapping_loses_nothing_but_blanks(text: str, width: int) -> None:
    shown = "".join(painted(line, is_coloured=False) for line in wrapped(text, width))

    assert "".join(shown.split()) == "".join(printable("".join(text.split())).split())


@given(texts(max_size=60))
def test_nothing_that_moves_the_cursor_is_written(text: str) -> None:
    page = Page([Paragraph(text), Table([Column(text), Column("b")], [[text, "x"]])])

    lines = TableFormat().render(Report({}, page), width=60, is_coloured=False).split("\n")

    assert [line for line in lines if not line.isprintable()] == []


def test_columns_count_as_terminals_draw_them() -> None:
    assert [columns_of(text) for text in ("abc", "张量", "Ａ", "e\u0301", "—", "🙂")] == [3, 4, 2, 1, 1, 2]
