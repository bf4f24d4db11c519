"""Small looks into a document: the value at some keys, a text, a whole number."""

from knockon.manifests.document import Items, Keys, Node, Scalar


def at(node: Node | None, *keys: str) -> Node | None:
    """The value under some keys; None where there is none."""
    for key in keys:
        node = node.held.get(key) if isinstance(node, Keys) else None
    return node


def keys_at(node: Node | None, *keys: str) -> Keys | None:
    """The mapping under some keys."""
    held = at(node, *keys)
    return held if isinstance(held, Keys) else None


def scalar_at(node: Node | None, *keys: str) -> Scalar | None:
    """The text under some keys; None where there is none, or null."""
    held = at(node, *keys)
    return held if isinstance(held, Scalar) and not held.is_null else None


def text_at(node: Node | None, *keys: str) -> str:
    """The text under some keys; empty where there is none."""
    held = scalar_at(node, *keys)
    return held.text if held is not None else ""


def items_at(node: Node | None, *keys: str) -> list[Node]:
    """The items under some keys; empty where there is no list."""
    held = at(node, *keys)
    return held.held if isinstance(held, Items) else []


def whole_of(node: Node | None) -> int | None:
    """The whole number that a text is; None for anything else."""
    text = node.text if isinstance(node, Scalar) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else None


def is_true(node: Node | None) -> bool:
    """Whether a switch is on."""
    return isinstance(node, Scalar) and node.text.lower() in ("true", "yes", "on")
