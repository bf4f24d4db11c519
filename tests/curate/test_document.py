"""Reading one YAML file: what is accepted, what is refused and with which words, and where things stand."""

import os
import tracemalloc
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from knockon.curate import build
from knockon.curate.document import read_bytes, read_file
from knockon.curate.files import bytes_in
from knockon.terms.errors import KnockonError
from knockon.terms.limits import YAML_BYTES_MAX
from knockon.terms.words import Json


def data_of(text: str) -> Json:
    return read_bytes(text.encode(), "f.yaml").data


BYTE_ORDER_MARK = (
    "f.yaml:1:1: the file starts with a byte order mark; expected plain UTF-8; save it again as UTF-8 without BOM"
)


def refusal_of(raw: bytes) -> str:
    with pytest.raises(KnockonError) as caught:
        read_bytes(raw, "f.yaml")
    return str(caught.value)


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("Yes", "Yes"),
        ("12:30:45", "12:30:45"),
        ("2026-11-29", "2026-11-29"),
        ("0.10.2", "0.10.2"),
        ("1_000", "1_000"),
        ("010", 10),
        ("0o10", 8),
        ("0x1F", 31),
        ("+1", 1),
        ("-3", -3),
        ("0.90", 0.9),
        (".5", 0.5),
        ("1.", 1.0),
        ("1e3", 1000.0),
        ("1.0e+15", 1e15),
        ("-", "-"),
        ("true", True),
        ("FALSE", False),
        ("tRUE", "tRUE"),
        ("null", None),
        ("~", None),
        ("", None),
        ('"1"', "1"),
        ("'true'", "true"),
        ("'it''s'", "it's"),
        ('"a\\u4e2d\\n"', "a中\n"),
        ("=", "="),
        ("a*b", "a*b"),
        ("<<", "<<"),
    ],
)
def test_scalar_is_read_as_yaml_1_2_does(written: str, value: Json) -> None:
    read = data_of(f"k: {written}\n") if written != "-" else data_of('k: "-"\n')

    assert (read, type(read["k"])) == ({"k": value}, type(value))  # type: ignore[call-overload,index]


def test_words_of_other_schemas_are_plain_keys() -> None:
    assert data_of("on: 1\nno: 2\n1: 3\nnull: 4\n") == {"on": 1, "no": 2, "1": 3, "null": 4}


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        pytest.param(b"", "f.yaml:1:1: the file is empty", id="nothing"),
        pytest.param(b"# a remark\n", "f.yaml:1:1: the file is empty", id="only a comment"),
        pytest.param(
            b"a: 1\nb:\n  a: 2\n  a: 3\na: 4\n",
            "f.yaml:4:3: key 'a' is given twice; expected each key once; remove one\n"
            "f.yaml:5:1: key 'a' is given twice; expected each key once; remove one",
            id="duplicate keys",
        ),
        pytest.param(
            b"a: &x 1\nb: 2\n",
            "f.yaml:1:4: anchor &x stands here; expected the value alone; remove it",
            id="anchor",
        ),
        pytest.param(
            b"a: &x {b: 1}\nc: *x\n",
            "f.yaml:1:4: anchor &x stands here; expected the value alone; remove it\n"
            "f.yaml:2:4: an alias stands here; expected the value itself; write it out",
            id="alias",
        ),
        pytest.param(
            b"<<: {a: 1}\n",
            "f.yaml:1:1: a merge key stands here; expected the keys themselves; write them out",
            id="merge key",
        ),
        pytest.param(
            b"a: !!python/name:os.system x\n",
            "f.yaml:1:4: tag tag:yaml.org,2002:python/name:os.system stands here; expected the value alone; remove it",
            id="tag",
        ),
        pytest.param(
            b"a: !!str 1\n",
            "f.yaml:1:4: tag tag:yaml.org,2002:str stands here; expected the value alone; remove it",
            id="tag of the standard",
        ),
        pytest.param(
            b"a: 1\n---\na: 2\n",
            "f.yaml:2:1: a second document starts here; expected one document; split it",
            id="several documents",
        ),
        pytest.param(
            b"? [a]\n: 1\n",
            "f.yaml:1:3: a list or mapping is used as a key; expected a word; name the key by a word",
            id="list as a key",
        ),
        pytest.param(b"a:\n\tb: 1\n", "f.yaml:2:1: a tab stands here; expected spaces; indent with spaces", id="tab"),
        pytest.param(
            b"\xef\xbb\xbfa: 1\n",
            BYTE_ORDER_MARK,
            id="byte order mark",
        ),
        pytest.param(
            "a: 1\n".encode("utf-16"),
            BYTE_ORDER_MARK,
            id="UTF-16",
        ),
        pytest.param(
            "a: 中".encode() + b"\xff\n",
            "f.yaml:1:5: byte 0xff does not belong here; expected UTF-8; save the file as UTF-8",
            id="not UTF-8",
        ),
        pytest.param(
            b"a: 1\nb: x\0y\n",
            "f.yaml:2:5: character U+0000 stands here; expected characters that can be printed; remove it",
            id="NUL",
        ),
        pytest.param(
            b"a: 1\nb: \x1b[31m\n",
            "f.yaml:2:4: character U+001B stands here; expected characters that can be printed; remove it",
            id="escape sequence of a terminal",
        ),
        pytest.param(
            b'a: "\\e[31m"\n',
            "f.yaml:1:4: the text holds a control character; expected characters that can be printed; "
            "remove the escape",
            id="escaped control character",
        ),
        pytest.param(
            b"a: .nan\nb: -.inf\nc: 1e999\n",
            "f.yaml:1:4: .nan is not a finite number; expected a finite number; put it in quotes if it is text\n"
            "f.yaml:2:4: -.inf is not a finite number; expected a finite number; put it in quotes if it is text\n"
            "f.yaml:3:4: 1e999 is too large for a number; expected a finite number; put it in quotes if it is text",
            id="no finite number",
        ),
        pytest.param(
            b"a: " + b"9" * 5000 + b"\n",
            "f.yaml:1:4: 99999999999999999999… is a number of more than 40 digits; expected a finite number; "
            "put it in quotes if it is text",
            id="huge number",
        ),
        pytest.param(
            b"a: [1, 2\nb: 3\n",
            "f.yaml:2:2: this is not YAML: while parsing a flow sequence; did not find expected ',' or ']'",
            id="open bracket",
        ),
        pytest.param(
            b"a: b: c\n",
            "f.yaml:1:5: this is not YAML: mapping values are not allowed in this context",
            id="second colon",
        ),
        pytest.param(
            b"a: *nobody\n",
            "f.yaml:1:4: an alias stands here; expected the value itself; write it out",
            id="alias of nothing",
        ),
        pytest.param(
            b"[" * 41 + b"]" * 41, "f.yaml:1:41: the nesting of a YAML file is over the limit of 40", id="deep"
        ),
        pytest.param(
            b"- " * 41 + b"a\n", "f.yaml:1:81: the nesting of a YAML file is over the limit of 40", id="deep blocks"
        ),
        pytest.param(
            b"[" * 1_000_000,
            "f.yaml:1:1001: this is not YAML: while increasing flow level; exceeded maximum nesting depth",
            id="a million brackets",
        ),
    ],
)
def test_refused_file_says_where_and_why(raw: bytes, said: str) -> None:
    assert refusal_of(raw) == said


def test_depth_at_the_limit_is_read() -> None:
    assert read_bytes(b"[" * 40 + b"]" * 40, "f.yaml").text == "[" * 40 + "]" * 40


def test_billion_laughs_is_refused_at_its_first_alias() -> None:
    lines = [
        "a: &a [lol, lol]",
        *(f"{n}: &{n} [*{p}, *{p}, *{p}]" for p, n in zip("abcdefgh", "bcdefghi", strict=True)),
    ]

    assert refusal_of("\n".join(lines).encode()).splitlines()[-1] == (
        "f.yaml:2:8: an alias stands here; expected the value itself; write it out"
    )


@pytest.mark.parametrize("at_a_time", [1, 3, 4096])
def test_file_that_is_read_in_parts_is_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_a_time: int
) -> None:
    file = tmp_path / "file.yaml"
    file.write_bytes(b"key: value\n")
    read = os.read
    calls = []

    def some(handle: int, size: int) -> bytes:
        calls.append(size)
        return read(handle, min(size, at_a_time))

    monkeypatch.setattr("knockon.curate.files.os.read", some)
    content = bytes_in(file, "file.yaml")
    monkeypatch.undo()

    assert content == b"key: value\n"
    assert len(calls) == -(-len(content) // at_a_time)


def test_file_of_50_mb_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "f.yaml"
    file.touch()
    os.truncate(file, 50_000_000)

    tracemalloc.start()
    with pytest.raises(KnockonError) as caught:
        read_file(file, "f.yaml")
    _, peak_bytes = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert str(caught.value) == (
        f"f.yaml:1:1: the size of a YAML file in bytes is over the limit of {YAML_BYTES_MAX:,}, found 50,000,000; "
        "split it into one file per thing"
    )
    assert peak_bytes < 1_000_000


@pytest.mark.parametrize(
    ("make", "said"),
    [
        pytest.param(lambda file: None, "f.yaml:1:1: cannot be read: No such file or directory", id="absent"),
        pytest.param(lambda file: file.mkdir(), "f.yaml:1:1: is a folder; expected a YAML file", id="folder"),
        pytest.param(os.mkfifo, "f.yaml:1:1: is not a regular file; expected a YAML file", id="pipe"),
        pytest.param(
            lambda file: file.symlink_to(file),
            "f.yaml:1:1: cannot be read: Too many levels of symbolic links",
            id="link to itself",
        ),
    ],
)
def test_what_is_no_file_is_refused(tmp_path: Path, make, said: str) -> None:  # type: ignore[no-untyped-def]
    make(tmp_path / "f.yaml")

    with pytest.raises(KnockonError) as caught:
        read_file(tmp_path / "f.yaml", "f.yaml")

    assert str(caught.value) == said


plain_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**18), 10**18)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(
        st.characters(exclude_categories=("Cs", "Cc"), exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"), max_size=20
    ),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abcdef", min_size=1, max_size=3), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(plain_json)
def test_data_written_by_another_yaml_writer_is_read_back(value: Json) -> None:
    text = yaml.safe_dump({"k": value}, allow_unicode=True, width=10_000, default_flow_style=None)

    # PyYAML writes no anchors for equal values that are not the same object; hypothesis makes none that are.
    assert data_of(text) == {"k": value}


@given(plain_json)
def test_parser_in_python_reads_the_same(value: Json) -> None:
    text = yaml.safe_dump({"k": value}, allow_unicode=True)

    with pytest.MonkeyPatch.context() as patch:
        fast = data_of(text)
        patch.setattr(build, "_Loader", yaml.SafeLoader)
        slow = data_of(text)

    assert slow == fast


@given(st.binary(max_size=200))
def test_random_bytes_are_read_or_refused_by_us(raw: bytes) -> None:
    read_or_refused(raw)


@given(st.text(st.sampled_from("ab:-?[]{},&*!|>'\"%@` #\n\t\\x0.~<"), max_size=60))
def test_random_yaml_is_read_or_refused_by_us(text: str) -> None:
    read_or_refused(text.encode())


def read_or_refused(raw: bytes) -> None:
    """Nothing but a KnockonError with a place may come out, and what is read has a place for every value."""
    refusal: KnockonError | None = None
    try:
        document = read_bytes(raw, "f.yaml")
    except KnockonError as error:
        refusal = error

    assert refusal.problem.at is not None if refusal else document.places[()].line >= 1
