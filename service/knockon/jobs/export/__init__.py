"""The catalog as text for other programs and for people: tables, graphs, the matrix as a picture."""

from collections.abc import Callable, Mapping

from knockon.catalog.catalog import Catalog
from knockon.jobs.export.graphs import dot, mermaid
from knockon.jobs.export.matrix import matrix
from knockon.jobs.export.tables import csv_table, markdown_table

# Every writer takes the catalog and a language ("en" or "zh") and gives the whole text, ending in a newline.
WRITERS: Mapping[str, Callable[[Catalog, str], str]] = {
    "csv": csv_table,
    "markdown": markdown_table,
    "dot": dot,
    "mermaid": mermaid,
    "svg": matrix,
}
