"""Documents read once: parsed, measured and validated, and kept, since clients ask with the same few over and over."""

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from graphql import (
    ArgumentNode,
    DocumentNode,
    FieldNode,
    GraphQLSchema,
    GraphQLSyntaxError,
    IntValueNode,
    Node,
    OperationDefinitionNode,
    OperationType,
    VariableDefinitionNode,
    VariableNode,
    parse,
    validate,
)

from knockon.api.measure import check_extent
from knockon.api.refusals import rules, shown_invalid, shown_refusal
from knockon.terms.errors import LimitExceeded
from knockon.terms.limits import DOCUMENT_CACHE_MAX, GRAPHQL_DEPTH_MAX, GRAPHQL_TOKENS_MAX
from knockon.terms.words import Json

# The roots that ask the database; all others are answered from memory. No other field has one of these names.
ON_DATABASE = frozenset({"history", "targets", "submitReadings"})
# The root that takes a list of deployments, each of which costs as much as a question of its own.
AT_LENGTH = "checks"
# Of one bad document nobody reads more complaints than this.
_ERRORS_MAX = 20
# Names of operations are chosen by clients; in figures they are grouped by what they ask first.
INVALID, INTROSPECTION = "invalid", "introspection"


@dataclass(frozen=True, slots=True)
class Document:
    """One document. With `errors` it is refused, and then there is no `parsed`."""

    parsed: DocumentNode | None
    errors: tuple[dict[str, Json], ...]
    label: str
    """The first root field, for figures; one of a bounded set."""
    as_of: tuple[int | str, ...]
    """Revisions it names: numbers, or the names of the variables that hold them."""
    defaults: Mapping[str, int]
    """Default values of whole-number variables."""
    asks_database: bool = False
    """Whether any of its operations may ask the database; its answers then take their time and are not final."""
    takes_long: bool = False
    """Whether any of its operations asks for a list of deployments, while others should still be answered."""
    mutations: frozenset[str] = frozenset()
    """Names of its operations that change something; a nameless one is ""."""

    def is_mutation(self, operation_name: str | None) -> bool:
        """Whether the operation that is asked for changes something."""
        return bool(self.mutations) if operation_name is None else operation_name in self.mutations

    def revisions(self, variables: Mapping[str, Json]) -> frozenset[int]:
        """The numbers of the revisions it asks with these variables."""
        named = (one if isinstance(one, int) else variables.get(one, self.defaults.get(one)) for one in self.as_of)
        return frozenset(one for one in named if isinstance(one, int) and not isinstance(one, bool))


class Documents:
    """Documents by their text, a bounded number of them; the longest unused falls out first."""

    def __init__(self, schema: GraphQLSchema, *, kept_max: int = DOCUMENT_CACHE_MAX) -> None:
        """Read documents against `schema`."""
        self._schema = schema
        self._rules = rules()
        self._kept: OrderedDict[str, Document] = OrderedDict()
        self._kept_max = kept_max

    def read(self, text: str) -> Document:
        """The document in `text`, refused ones with what is wrong; never raises."""
        known = self._kept.get(text)
        if known is not None:
            self._kept.move_to_end(text)
            return known
        document = self._read(text)
        self._kept[text] = document
        if len(self._kept) > self._kept_max:
            self._kept.popitem(last=False)
        return document

    def _read(self, text: str) -> Document:
        try:
            parsed = parse(text, max_tokens=GRAPHQL_TOKENS_MAX)
            check_extent(parsed)
            errors = validate(self._schema, parsed, self._rules, max_errors=_ERRORS_MAX)
        except GraphQLSyntaxError as error:
            return _refused([shown_refusal(_tokens())] if _is_too_long(error) else [shown_invalid(error)])
        except LimitExceeded as error:
            return _refused([shown_refusal(error)])
        except RecursionError:
            too_deep = LimitExceeded("the depth of the query", limit=GRAPHQL_DEPTH_MAX, fix="ask for fewer levels")
            return _refused([shown_refusal(too_deep)])
        if errors:
            return _refused([shown_invalid(error) for error in errors[:_ERRORS_MAX]])
        return Document(
            parsed,
            (),
            _label(parsed),
            tuple(_as_of(parsed)),
            dict(_defaults(parsed)),
            asks_database=any(_nodes(parsed, _is_on_database)),
            takes_long=any(_nodes(parsed, _is_at_length)),
            mutations=frozenset(_mutations(parsed)),
        )


def _refused(errors: list[dict[str, Json]]) -> Document:
    return Document(None, tuple(errors), INVALID, (), {})


def _is_too_long(error: GraphQLSyntaxError) -> bool:
    # graphql-core has no class of its own for it.
    return "tokens" in error.message and str(GRAPHQL_TOKENS_MAX) in error.message


def _tokens() -> LimitExceeded:
    return LimitExceeded("the number of tokens of the query", limit=GRAPHQL_TOKENS_MAX, fix="send several requests")


def _label(document: DocumentNode) -> str:
    for one in document.definitions:
        if isinstance(one, OperationDefinitionNode):
            first = one.selection_set.selections[0]
            name = getattr(getattr(first, "name", None), "value", "")
            return INTROSPECTION if name.startswith("__") else name
    return INVALID


def _is_on_database(node: Node) -> bool:
    # The root may stand in a fragment.
    return isinstance(node, FieldNode) and node.name.value in ON_DATABASE


def _is_at_length(node: Node) -> bool:
    return isinstance(node, FieldNode) and node.name.value == AT_LENGTH


def _mutations(document: DocumentNode) -> Iterator[str]:
    for one in document.definitions:
        if isinstance(one, OperationDefinitionNode) and one.operation is OperationType.MUTATION:
            yield one.name.value if one.name else ""


def _as_of(document: DocumentNode) -> Iterator[int | str]:
    for node in _nodes(document, lambda node: isinstance(node, ArgumentNode) and node.name.value == "asOf"):
        assert isinstance(node, ArgumentNode)
        if isinstance(node.value, IntValueNode):
            yield int(node.value.value)
        elif isinstance(node.value, VariableNode):
            yield node.value.name.value


def _defaults(document: DocumentNode) -> Iterator[tuple[str, int]]:
    for node in _nodes(document, lambda node: isinstance(node, VariableDefinitionNode)):
        assert isinstance(node, VariableDefinitionNode)
        if isinstance(node.default_value, IntValueNode):
            yield node.variable.name.value, int(node.default_value.value)


def _nodes(document: DocumentNode, wanted: Callable[[Node], bool]) -> Iterator[Node]:
    waiting: list[Node] = [document]
    while waiting:
        node = waiting.pop()
        if wanted(node):
            yield node
        for key in node.keys:
            held = getattr(node, key, None)
            if isinstance(held, Node):
                waiting.append(held)
            elif isinstance(held, list | tuple):
                waiting += [one for one in held if isinstance(one, Node)]
