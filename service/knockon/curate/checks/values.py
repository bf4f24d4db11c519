"""Values of a body with the steps that lead to them."""

from collections.abc import Iterator

from knockon.curate.build import Steps
from knockon.terms.body import Body, parts, string, strings


def listed(body: Body, key: str) -> Iterator[tuple[str, Steps]]:
    """Every text of the list at `key`."""
    yield from ((text, (key, index)) for index, text in enumerate(strings(body, key)))


def of_items(body: Body, group: str, key: str) -> Iterator[tuple[str, Steps]]:
    """The text at `key` of every mapping of the list at `group` that has one."""
    for index, item in enumerate(parts(body, group)):
        if key in item:
            yield string(item, key), (group, index, key)


def of_members(body: Body, group: str, key: str) -> Iterator[tuple[str, Steps]]:
    """The text at `key` of every mapping in the mapping at `group` that has one."""
    members = body.get(group)
    for name, item in members.items() if isinstance(members, dict) else ():
        if isinstance(item, dict) and key in item:
            yield string(item, key), (group, name, key)


def own(body: Body, key: str) -> Iterator[tuple[str, Steps]]:
    """The text at `key`, when there is one."""
    if key in body:
        yield string(body, key), (key,)
