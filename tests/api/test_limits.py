import pytest
from graphql import get_introspection_query

from knockon.terms.limits import (
    GRAPHQL_ALIASES_MAX,
    GRAPHQL_DEPTH_MAX,
    GRAPHQL_FIELDS_MAX,
    GRAPHQL_LINKS_MAX,
    GRAPHQL_TOKENS_MAX,
)
from tests.api.asking import Held, asked, codes, knowledge, refused
from tests.catalog.bundles import relation, technique

# Two techniques that name one another: a graph without an end.
PAIR = Held(
    {
        1: knowledge(
            technique("a", relations=[relation("requires", "b")]), technique("b", relations=[relation("requires", "a")])
        )
    }
)


def test_deepest_allowed_query_is_answered_and_one_level_more_is_refused() -> None:
    deepest = (
        '{ technique(id: "a") { ... on Technique ' + "{ relations { to " * 6 + "{ home { layer } }" + "} }" * 6 + " } }"
    )
    deeper = deepest.replace("{ home { layer } }", "{ relations { to { id } } }")

    found = asked(deepest, of=PAIR)["technique"]
    for _ in range(6):
        found = found["relations"][0]["to"]
    errors = refused(deeper, of=PAIR)

    assert found == {"home": {"layer": "L5"}}
    assert errors == [
        {
            "message": "the depth of the query is over the limit of 15, found 16; ask for fewer levels",
            "extensions": {
                "code": "limit-exceeded",
                "what": "the depth of the query is over the limit of 15, found 16",
                "fix": "ask for fewer levels",
                "limit": GRAPHQL_DEPTH_MAX,
            },
        }
    ]


def test_depth_counts_through_fragments() -> None:
    levels = " ".join(f"fragment f{n} on Technique {{ relations {{ to {{ ...f{n + 1} }} }} }}" for n in range(8))
    query = f'{{ technique(id: "a") {{ ...f0 }} }} {levels} fragment f8 on Technique {{ id }}'

    errors = refused(query, of=PAIR)

    assert errors[0]["message"] == "the depth of the query is over the limit of 15, found 18; ask for fewer levels"


def test_introspection_is_exempt_from_depth() -> None:
    deep = "{ __schema { types { fields { type " + "{ ofType " * 12 + "{ name }" + " }" * 12 + " } } } }"

    assert asked(get_introspection_query())["__schema"]["queryType"] == {"name": "Query", "kind": "OBJECT"}
    assert asked(deep)["__schema"]["types"]


@pytest.mark.parametrize(
    ("query", "message"),
    [
        pytest.param(
            "{" + " ".join(f"a{n}: axes {{ stages {{ id }} }}" for n in range(GRAPHQL_ALIASES_MAX + 1)) + "}",
            "the number of aliases of the query is over the limit of 50, found 51; send several requests",
            id="aliases",
        ),
        pytest.param(
            "{ a: techniques { ...f } b: techniques { ...f } }"
            "fragment f on TechniqueConnection {" + " ".join(f"a{n}: totalCount" for n in range(25)) + "}",
            "the number of aliases of the query is over the limit of 50, found 52; send several requests",
            id="aliases in a fragment that is used twice",
        ),
        pytest.param(
            "{ axes { stages {" + " id" * GRAPHQL_FIELDS_MAX + "} } }",
            "the number of fields of the query is over the limit of 1,000, found 1,002; send several requests",
            id="the same field over and over",
        ),
        pytest.param(
            "{ axes { stages { id" + " id" * GRAPHQL_TOKENS_MAX + "} } }",
            "the number of tokens of the query is over the limit of 4,000; send several requests",
            id="tokens",
        ),
    ],
)
def test_too_large_a_query_is_refused(query: str, message: str) -> None:
    errors = refused(query)

    assert [error["message"] for error in errors] == [message]
    assert codes(errors) == ["limit-exceeded"]


def test_exponential_fragments_are_refused_from_their_text() -> None:
    doubling = " ".join(
        f"fragment f{n} on Technique {{ relations {{ to {{ ...f{n + 1} }} }} needs {{ says {{ en }} }} ...f{n + 1} }}"
        for n in range(40)
    )

    errors = refused(f'{{ technique(id: "a") {{ ...f0 }} }} {doubling} fragment f40 on Technique {{ id }}')

    assert codes(errors) == ["limit-exceeded"]


@pytest.mark.parametrize(
    "query",
    [
        pytest.param("{ axes" * 1_900, id="open braces"),
        pytest.param("{ grid(stage: " + "[" * 3_000, id="open lists"),
        pytest.param("{ check(input: {set: " + "{a: " * 900 + "1" + "}" * 900 + "}) { __typename } }", id="objects"),
    ],
)
def test_deep_nesting_is_refused_not_crashed_upon(query: str) -> None:
    assert codes(refused(query)) == ["limit-exceeded"]


def test_fragment_that_contains_itself_is_refused() -> None:
    query = '{ technique(id: "a") { ...f } } fragment f on Technique { relations { to { ...f } } }'

    errors = refused(query)

    assert codes(errors) == ["fragment-cycle"]
    assert errors[0]["message"] == "Cannot spread fragment 'f' within itself."


def test_answer_that_would_not_end_is_cut_off_at_the_links() -> None:
    # Every technique names every other one: each level multiplies the answer by the number of techniques.
    keys = [f"t-{n:02}" for n in range(30)]
    crowd = Held(
        {1: knowledge(*(technique(k, relations=[relation("contrasts", o) for o in keys if o != k]) for k in keys))}
    )
    level = "relations { to { id %s } }"
    query = f"{{ techniques {{ nodes {{ {level % (level % (level % ''))} }} }} }}"

    errors = refused(query, of=crowd)

    assert codes(errors) == ["limit-exceeded"]
    assert errors[0]["extensions"]["limit"] == GRAPHQL_LINKS_MAX
