"""Back-ends: nodes of the language to something that runs. The table of them."""

from collections.abc import Mapping

from knockon.backends.base import Backend
from knockon.backends.polars.backend import PolarsBackend
from knockon.backends.python.compiled import PythonBackend
from knockon.backends.z3.backend import Z3Backend

BACKENDS: Mapping[str, Backend] = {
    "python": PythonBackend(),
    "z3": Z3Backend(),
    "polars": PolarsBackend(),
}
