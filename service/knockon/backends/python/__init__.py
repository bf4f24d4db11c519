"""The in-process back-end: a generated function for rulebooks, a walk over the nodes for single questions."""

from knockon.backends.python.generate import PythonBackend as PythonBackend
from knockon.backends.python.reasons import Atom as Atom
from knockon.backends.python.reasons import evidence as evidence
from knockon.backends.python.reasons import lacking as lacking
from knockon.backends.python.walk import judge_one as judge_one
from knockon.backends.python.walk import value_of as value_of
