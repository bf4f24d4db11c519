"""How wide the beginning of a quoted scalar is as written, so that complaints can point inside it."""

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
