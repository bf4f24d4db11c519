"""The pages of connections."""

from knockon.api import page
from knockon.api.shape import field, shows
from knockon.api.types.revision import REVISION, Revision, revision_of
from knockon.api.types.technique import Technique


@shows(page.PageInfo)
class PageInfo:
    """Where a page lies."""

    has_next_page: bool = field("Whether there is more after it.")
    has_previous_page: bool = field("Whether there is more before it.")
    start_cursor: str | None = field("Cursor of its first item; null when it is empty.")
    end_cursor: str | None = field("Cursor of its last item; null when it is empty.")


@shows(page.Edge)
class TechniqueEdge:
    """A technique and its cursor."""

    cursor: str = field("For `after` and `before`; it holds on later revisions too.")
    node: Technique = field("The technique.")


@shows(page.Page)
class TechniqueConnection:
    """A page of techniques, by id."""

    edges: list[TechniqueEdge] = field("The techniques with their cursors.")
    nodes: list[Technique] = field("The techniques alone.")
    page_info: PageInfo = field("Where the page lies.")
    total_count: int = field("How many fit the filter, on all pages together.")
    revision: Revision = field(REVISION, resolver=revision_of)
