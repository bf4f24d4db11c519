import csv
import io
import re
from xml.etree import ElementTree as ET

import pytest

from knockon.catalog.grid import grid
from knockon.jobs.export import WRITERS
from tests.shipped import shipped

CATALOG = shipped().catalog
RELATIONS = sum(
    1 for one in CATALOG.live for relation in one.relations if CATALOG.techniques[relation.to].tombstone is None
)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("name", WRITERS)
def test_export_is_the_same_every_time_and_ends_in_a_line_end(name: str, language: str) -> None:
    text = WRITERS[name](CATALOG, language)

    assert text == WRITERS[name](CATALOG, language)
    assert text.endswith("\n")


def test_csv_has_a_row_for_each_technique_and_no_formula() -> None:
    rows = list(csv.DictReader(io.StringIO(WRITERS["csv"](CATALOG, "en"))))

    assert [row["id"] for row in rows] == [one.id for one in CATALOG.live]
    assert all(row["name_en"] and row["name_zh"] and row["stage"] and row["sources"] for row in rows)
    assert not [cell for row in rows for cell in row.values() if cell.startswith(("=", "+", "-", "@"))]


def test_dot_has_every_technique_and_every_relation() -> None:
    text = WRITERS["dot"](CATALOG, "en")

    assert all(f'"{one.id}" [label=' in text for one in CATALOG.live)
    assert len(re.findall(r'^  "[^"]+" -> "[^"]+" \[', text, re.MULTILINE)) == RELATIONS
    assert text.count("{") == text.count("}")


def test_mermaid_has_every_relation_between_boxes_that_are_there() -> None:
    text = WRITERS["mermaid"](CATALOG, "zh")
    boxes = set(re.findall(r"^    (t\d+)\[", text, re.MULTILINE))
    arrows = re.findall(r"^  (t\d+) -- \w+ --> (t\d+)$", text, re.MULTILINE)

    assert len(arrows) == RELATIONS
    assert {end for arrow in arrows for end in arrow} == boxes


def test_matrix_is_well_formed_and_counts_what_the_grid_counts() -> None:
    root = ET.fromstring(WRITERS["svg"](CATALOG, "en"))
    namespace = "{http://www.w3.org/2000/svg}"
    counts = [text.text for text in root.iter(f"{namespace}text") if (text.get("class") or "").startswith("count")]

    assert sorted(counts, key=str) == sorted((str(one.count) for one in grid(CATALOG) if one.count), key=str)
    assert len(root.findall(f"{namespace}g")) == len(grid(CATALOG))
