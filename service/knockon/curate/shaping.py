"""Plain data held to its shape."""

from typing import cast

from pydantic import ValidationError

from knockon.curate.build import Steps
from knockon.curate.document import Document
from knockon.curate.refusals import problems_of
from knockon.curate.shapes.base import Shape
from knockon.terms.body import Body
from knockon.terms.errors import CurationError
from knockon.terms.words import Json


def body_of(data: Json, shape: type[Shape], document: Document, *, steps: Steps) -> Body:
    """The body that `data` is, defaults left out; `steps` lead to it in the document.

    Raises:
        CurationError: it is not of this shape; with every problem and its place.
    """
    try:
        held = shape.model_validate(data)
    except ValidationError as error:
        raise CurationError(problems_of(error, document, steps=steps, shape=shape)) from error
    return cast("Body", held.model_dump(by_alias=True, exclude_defaults=True))
