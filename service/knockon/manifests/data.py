"""Documents → plain data, as PyYAML's safe loader would give it to an engine that reads the file."""

import re

from knockon.manifests.document import Items, Keys, Node, Scalar, Walk, documents_of
from knockon.manifests.written import Written
from knockon.terms.errors import KnockonError, LimitExceeded
from knockon.terms.limits import INTAKE_DEPTH_MAX
from knockon.terms.placed import Placed
from knockon.terms.words import Json, JsonObject

# YAML 1.1, which PyYAML reads: https://yaml.org/type/
_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"), True),
    **dict.fromkeys(("no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"), False),
}
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9_]{0,30})\Z")
_FLOAT = re.compile(r"[-+]?(?:[0-9][0-9_]{0,30})\.[0-9_]{0,30}(?:[eE][-+][0-9]{1,3})?\Z|[-+]?\.[0-9][0-9_]{0,30}\Z")


def value_of(scalar: Scalar) -> Json:
    """The value of a scalar: quoted ones are texts, plain ones what they look like."""
    text = scalar.text
    if scalar.style:
        return text
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.match(text):
        return int(text.replace("_", ""))
    if _FLOAT.match(text):
        number = float(text.replace("_", ""))
        return number if abs(number) < float("inf") else text
    return text


def data_of(node: Node, *, walk: Walk | None = None, depth: int = 0) -> Json:
    """A document as plain data; raises LimitExceeded where aliases make it grow or nest without end."""
    walk = walk or Walk()
    walk.step(node)
    if depth > INTAKE_DEPTH_MAX:
        raise LimitExceeded("the nesting of the file", limit=INTAKE_DEPTH_MAX, at=node.at)
    if isinstance(node, Scalar):
        return value_of(node)
    if isinstance(node, Items):
        return [data_of(each, walk=walk, depth=depth + 1) for each in node.held]
    return {key: data_of(value, walk=walk, depth=depth + 1) for key, value in node.held.items()}


def object_of(source: Written) -> JsonObject | None:
    """The mapping that a YAML or JSON text holds; None where it holds none that can be read."""
    try:
        documents = documents_of(source)
        if len(documents) != 1 or not isinstance(documents[0], Keys):
            return None
        data = data_of(documents[0])
        places = {key: value.at for key, value in documents[0].held.items()}
    except KnockonError:
        return None
    return Placed(data, places) if isinstance(data, dict) else None
