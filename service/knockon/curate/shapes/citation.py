"""A value of `catalog/citations/<topic>.yaml`: one source."""

from typing import Literal, Self

from pydantic import model_validator

from knockon.curate.shapes.base import Depth, IsoDate, Sentence, Shape, Url, refusal


class Citation(Shape):
    """One source, when it was last looked at, and how far it was read then."""

    title: Sentence
    kind: Literal["paper", "document", "code", "issue", "dataset", "experience"]
    url: Url | None = None
    version: Sentence | None = None
    checked: IsoDate
    depth: Depth

    @model_validator(mode="after")
    def _has_address(self) -> Self:
        if self.url is None and self.kind != "experience":
            raise refusal("missing-key", "key 'url' is missing", "the address of the source")
        return self
