"""The contract between the members of a family sees every crossing, and nothing else."""

import grimp

from tests.contracts import crossings_into, members_of

MEMBER_PAIR = ("family.left.read", "family.right.read")


def graph_of(*imports: tuple[str, str]) -> grimp.ImportGraph:
    """A family `family` with two members, `left` and `right`, and a module `base`, and these imports."""
    graph = grimp.ImportGraph()
    for module in ("family", "family.base", "family.left", "family.left.read", "family.right", "family.right.read"):
        graph.add_module(module)
    for importer, imported in imports:
        graph.add_import(importer=importer, imported=imported)
    return graph


def test_members_are_the_folders() -> None:
    assert members_of("family", graph_of()) == ["family.left", "family.right"]


def test_member_may_use_itself_and_the_family_and_the_table_may_name_it() -> None:
    graph = graph_of(
        ("family.right", "family.right.read"), ("family.right.read", "family.base"), ("family", "family.right.read")
    )

    assert crossings_into("family.right", graph, family="family") == []


def test_sibling_and_the_familys_own_module_may_not_use_it() -> None:
    graph = graph_of(MEMBER_PAIR, ("family.base", "family.right"))

    crossings = crossings_into("family.right", graph, family="family")
    assert sorted(crossings) == [("family.base", "family.right"), MEMBER_PAIR]
