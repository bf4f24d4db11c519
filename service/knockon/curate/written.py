"""Where in a scalar as written a character of its value stands, so that complaints can point inside it."""

import re

# https://yaml.org/spec/1.2.2/#57-escaped-characters: the digits after \x, \u and \U.
_HEX_DIGITS = {"x": 2, "u": 4, "U": 8}


def written_width(written: str, quote: str, count: int) -> int:
    """The number of written characters that stand for the first `count` characters of a one-line quoted scalar.

    Args:
        written: what stands between the quotes, on one line.
        quote: `'` or `"`.
        count: characters of the value.
    """
    place = 0
    for _ in range(count):
        if quote == "'" and written.startswith("''", place):
            place += 2
        elif quote == '"' and written.startswith("\\", place):
            place += 2 + _HEX_DIGITS.get(written[place + 1 : place + 2], 0)
        else:
            place += 1
    return place


# `>` or `|` with what says how its end is kept, and a comment; one that says its indentation may begin with spaces.
_BLOCK = re.compile(r"[|>][-+]?[ \t]*(#.*)?")


def place_in_lines(written: str, offset: int) -> tuple[int, int] | None:
    """Where character `offset` of the value of a plain, `>` or `|` scalar of several lines stands.

    Args:
        written: the scalar from its first character, or from the `>` or `|`.
        offset: from 0.

    Returns:
        The line of `written` and the column in it, both from 0. None where lines are joined by other than one
        character: at blank lines and at lines deeper than the first.
    """
    lines = written.rstrip().split("\n")
    is_block = _BLOCK.fullmatch(lines[0]) is not None
    indents = [len(line) - len(line.lstrip(" ")) for line in lines]
    below = indents[1:]
    if not all(line.strip() for line in lines) or (is_block and len(set(below)) != 1):
        return None
    for number in range(1 if is_block else 0, len(lines)):
        # Spaces at the end of a line are part of a block, and of nothing else.
        width = len(lines[number] if is_block else lines[number].rstrip()) - indents[number]
        if offset <= width:
            return number, indents[number] + offset
        offset -= width + 1
    return None
