"""An import contract that import-linter does not have: the members of a family do not know each other.

A member is a folder of the family (`engines/vllm/`), so that a new member is checked without being listed anywhere. The
family's own modules (`engines/base.py` and what members share) may not import a member either: only the table in
`__init__.py` names them.
"""

from grimp import ImportGraph
from importlinter import Contract, ContractCheck, fields, output


class MembersContract(Contract):
    """Forbids imports of a member from anywhere in its family but the member itself and the family's table."""

    type_name = "members"

    families = fields.ListField(subfield=fields.ModuleField())

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Find every import that crosses into a member."""
        crossings = [
            crossing
            for family in self.families
            for member in members_of(family.name, graph)
            for crossing in crossings_into(member, graph, family=family.name)
        ]
        output.verbose_print(verbose, f"{len(crossings)} imports cross into a member.")
        return ContractCheck(kept=not crossings, metadata={"crossings": sorted(crossings)})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """Name each crossing, and what to do."""
        for importer, imported in check.metadata["crossings"]:
            output.print_error(f"- {importer} -> {imported}")
        output.new_line()
        output.print_error("Move what both need into the family's own modules.")


def members_of(family: str, graph: ImportGraph) -> list[str]:
    """The packages right under a family, sorted."""
    return sorted(child for child in graph.find_children(family) if graph.find_children(child))


def crossings_into(member: str, graph: ImportGraph, *, family: str) -> list[tuple[str, str]]:
    """The imports of `member` by its siblings and by the family's modules, as (importer, imported)."""
    inside = {member, *graph.find_descendants(member)}
    relatives = graph.find_descendants(family) - inside
    return [
        (importer, imported)
        for imported in inside
        for importer in graph.find_modules_that_directly_import(imported) & relatives
    ]
