from knockon.catalog.catalog import Catalog
from knockon.catalog.feedback import Loop
from knockon.catalog.loops import all_loops
from tests.catalog.bundles import catalog_of, quantity


def shown(loops: tuple[Loop, ...]) -> list[tuple[tuple[str, ...], str]]:
    return [(loop.quantities, loop.kind) for loop in loops]


def two_rings() -> Catalog:
    """A → b → a, and a → b → c → d → a around it."""
    return catalog_of(quantity("a", b="+"), quantity("b", a="-", c="+"), quantity("c", d="+"), quantity("d", a="+"))


def test_every_loop_is_found_up_to_a_length() -> None:
    quantities = two_rings().quantities

    assert shown(all_loops(quantities, length_max=3)) == [(("a", "b"), "damping")]
    assert shown(all_loops(quantities, length_max=4)) == [
        (("a", "b"), "damping"),
        (("a", "b", "c", "d"), "reinforcing"),
    ]


def test_shortest_loop_through_each_influence_is_part_of_the_catalog() -> None:
    assert shown(two_rings().loops) == [(("a", "b"), "damping"), (("a", "b", "c", "d"), "reinforcing")]


def test_loop_of_one_quantity_is_a_loop() -> None:
    catalog = catalog_of(quantity("a", a="-"))

    assert shown(catalog.loops) == [(("a",), "damping")]
    assert shown(all_loops(catalog.quantities, length_max=2)) == [(("a",), "damping")]


def test_quantities_without_a_way_back_make_no_loop() -> None:
    catalog = catalog_of(quantity("a", b="+", missing="+"), quantity("b"))

    assert catalog.loops == ()
    assert all_loops(catalog.quantities, length_max=9) == ()


def test_loop_starts_at_the_first_id_whatever_way_it_was_found() -> None:
    catalog = catalog_of(quantity("z", m="+"), quantity("m", b="+"), quantity("b", z="-"))

    (loop,) = catalog.loops

    assert loop.quantities == ("b", "z", "m")
    assert [influence.on for influence in loop.influences] == ["z", "m", "b"]
