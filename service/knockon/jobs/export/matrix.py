"""The matrix of stages × layers × dimensions as an SVG: how many techniques each cell holds, what empty ones are."""

from collections.abc import Iterator, Mapping
from html import escape

from knockon.catalog.catalog import Catalog
from knockon.catalog.cell import AxisValue, Cell
from knockon.catalog.grid import CellState, GridCell, grid

_CELL, _ROW, _GAP = 36, 34, 14
_LEFT, _TOP, _FOOT, _RIGHT = 232, 112, 66, 20
# From one technique to many; a cell of the last colour holds at least the count in front of it.
_SHADES = ((1, "#dbe7f6"), (3, "#b3cdea"), (6, "#82acd9"), (11, "#4d86c2"), (21, "#2a629f"))
_DARK_FROM = 11
_STYLE = """\
text { font: 12px system-ui, "Noto Sans", "Noto Sans CJK SC", sans-serif; fill: #1f2937 }
.title { font-size: 17px; font-weight: 600 } .small { font-size: 11px; fill: #6b7280 }
.stage { font-weight: 600 } .count { text-anchor: middle } .on { fill: #ffffff }
.none { fill: #f6f7f9; stroke: #e5e7eb } .known { fill: #eceef1; stroke: #d1d5db }
.never { fill: #e3d9d7; stroke: #cbb9b6 }
.mark { text-anchor: middle; fill: #9ca3af }"""


def matrix(catalog: Catalog, language: str) -> str:
    """The whole picture; every cell says its techniques, or why it is empty, when it is pointed at."""
    return "\n".join(_drawn(catalog, language)) + "\n"


def _drawn(catalog: Catalog, language: str) -> Iterator[str]:
    axes = catalog.axes
    stages, layers, dimensions = list(axes.stages), list(axes.layers)[::-1], list(axes.dimensions)
    stage_width = len(dimensions) * _CELL + _GAP
    width = _LEFT + len(stages) * stage_width - _GAP + _RIGHT
    height = _TOP + len(layers) * _ROW + _FOOT
    cells = {one.cell: one for one in grid(catalog)}
    held = sum(1 for one in cells.values() if one.count)
    title = (
        f"{len(catalog.live)} 项技术，{held}/{len(cells)} 个格子"
        if language == "zh"
        else (f"{len(catalog.live)} techniques in {held} of {len(cells)} cells")
    )
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    yield f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    yield f"<title>{escape(title)}</title><style>{_STYLE}</style>"
    yield f'<rect width="{width}" height="{height}" fill="#ffffff"/>'
    yield f'<text class="title" x="20" y="32">{escape(title)}</text>'
    for row, layer in enumerate(layers):
        y = _TOP + row * _ROW + _ROW / 2 + 4
        yield f'<text x="20" y="{y:g}">{layer}</text>'
        yield f'<text class="small" x="46" y="{y:g}">{_short(axes.layers[layer], language)}</text>'
    for column, stage in enumerate(stages):
        x = _LEFT + column * stage_width
        yield f'<text class="stage" x="{x}" y="60">{_short(axes.stages[stage], language)}</text>'
        for index, dimension in enumerate(dimensions):
            at = x + index * _CELL + _CELL / 2 + 4
            said = _short(axes.dimensions[dimension], language)
            yield f'<text class="small" transform="translate({at:g} {_TOP - 6}) rotate(-38)">{said}</text>'
        for row, layer in enumerate(layers):
            for index, dimension in enumerate(dimensions):
                one = cells[Cell(stage, layer, dimension)]
                yield _cell(one, x + index * _CELL, _TOP + row * _ROW, catalog, language)
    yield from _legend(height, language)
    yield "</svg>"


def _cell(one: GridCell, x: float, y: float, catalog: Catalog, language: str) -> str:
    box = f'x="{x + 1:g}" y="{y + 1:g}" width="{_CELL - 2}" height="{_ROW - 2}" rx="4"'
    middle = f'x="{x + _CELL / 2:g}" y="{y + _ROW / 2 + 4:g}"'
    tip = f"<title>{escape(_tip(one, catalog, language))}</title>"
    if one.count:
        ink = " on" if one.count >= _DARK_FROM else ""
        return (
            f'<g>{tip}<rect {box} fill="{_shade(one.count)}"/><text class="count{ink}" {middle}>{one.count}</text></g>'
        )
    look, mark = _EMPTY[one.state]
    return f'<g>{tip}<rect {box} class="{look}"/><text class="mark" {middle}>{mark}</text></g>'


_EMPTY: Mapping[CellState, tuple[str, str]] = {
    CellState.UNEXPLORED: ("none", "·"),
    CellState.KNOWN_EMPTY: ("known", "–"),
    CellState.IMPOSSIBLE: ("never", "×"),
}


def _tip(one: GridCell, catalog: Catalog, language: str) -> str:
    if one.count:
        return f"{one.cell}: " + ", ".join(t.name.in_language(language) for t in catalog.techniques_in(one.cell))
    return f"{one.cell}: {one.state.value}" + (f": {one.why.in_language(language)}" if one.why else "")


def _shade(count: int) -> str:
    return next(colour for least, colour in reversed(_SHADES) if count >= least)


def _legend(height: int, language: str) -> Iterator[str]:
    y, x = height - 34, 20
    for (least, colour), following in zip(_SHADES, (*_SHADES[1:], None), strict=True):
        said = (
            f"{least}+"
            if following is None
            else str(least)
            if following[0] == least + 1
            else f"{least}–{following[0] - 1}"
        )
        yield f'<rect x="{x}" y="{y}" width="16" height="16" rx="3" fill="{colour}"/>'
        yield f'<text class="small" x="{x + 22}" y="{y + 12}">{said}</text>'
        x += 70
    words = ("未探索", "已知为空", "不可能") if language == "zh" else ("unexplored", "known empty", "impossible")
    for (look, mark), said in zip(_EMPTY.values(), words, strict=True):
        yield f'<rect x="{x}" y="{y}" width="16" height="16" rx="3" class="{look}"/>'
        yield f'<text class="mark" x="{x + 8}" y="{y + 12}">{mark}</text>'
        yield f'<text class="small" x="{x + 22}" y="{y + 12}">{said}</text>'
        x += 110


def _short(value: AxisValue, language: str) -> str:
    return escape(value.name.in_language(language))
