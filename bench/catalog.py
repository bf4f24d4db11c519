"""A catalog far larger than the shipped one: what reading, publishing, serving and asking cost, and that it is linear.

The shipped techniques over and over under other names: in the same cells, on the same quantities, by the same
mechanisms, each copy related to techniques of its own copy. Every cell, quantity and mechanism then holds as many more,
which is harder than a catalog that grows in breadth.
"""

import asyncio
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from shutil import copytree

import yaml
from service import Server, answer_of, cpu_s, request_of, serving

from knockon.assets import catalog_dir, rules_dir
from knockon.catalog.breaks import breaks
from knockon.catalog.place import place
from knockon.catalog.rank import search
from knockon.curate.lint import lint_tree
from knockon.curate.tree import read_tree
from knockon.jobs.knowledge import Knowledge, knowledge_of
from knockon.store.store import open_store
from knockon.web.serve import settle

SIZES = (3_000, 30_000)
WORDS = ("kv cache", "quantisation of weigths", "张量并行", "--tensor-parallel-size", "nothing that is called so")
ASKED, WARMING = 200, 20
# Words and characters without their numbers, which would no longer be those of the other language.
PIECES = {"en": r"[^\s\d]+", "zh": r"[^\s\d]"}
Body = dict[str, object]

# What the larger of the two may take: about three times what an ordinary machine takes. The smaller is for the ratio.
BUDGETS: Mapping[str, float] = {
    "read from YAML: CPU, s": 45,
    "read from YAML: memory, MiB": 1_300,
    "lint: CPU, s": 60,
    "lint again: CPU, s": 4,
    "lint, one file changed: CPU, s": 25,
    "publish to SQLite: CPU, s": 20,
    "read from SQLite: CPU, s": 8,
    "build with all indexes: CPU, s": 25,
    "built: memory, MiB": 1_200,
    "breaks, depth 5: worst, ms": 40,
    "search: worst, ms": 300,
    "place: worst, ms": 60,
    "technique by alias: worst, ms": 1,
    "serve: ready after, s": 90,
    "serve: technique, CPU, ms": 1,
    "serve: breaks, 3 hops, CPU, ms": 60,
    "serve: memory, MiB": 1_024,
}


def catalog(*, rounds: int, seconds: float) -> None:
    """Print every figure for both sizes and their ratio; `rounds` and `seconds` mean nothing here."""
    del rounds, seconds
    small, large = (measured(size) for size in SIZES)
    growth = SIZES[1] / SIZES[0]
    print(f"\ncatalog: {SIZES[0]:,} and {SIZES[1]:,} techniques; linear is a ratio of {growth:.0f}")
    for name, figure in large.items():
        over = " OVER" if figure > BUDGETS.get(name, figure) else ""
        budget = f"   (budget {BUDGETS[name]:g}){over}" if name in BUDGETS else ""
        print(f"  {name:38} {small[name]:10.2f} {figure:10.2f}   {ratio(figure, small[name])}{budget}")


def ratio(large: float, small: float) -> str:
    return f"× {large / small:5.1f}" if small else "       "


def measured(size: int) -> dict[str, float]:
    """Every figure of one size, each group of them by a process of its own, so that memory is that of the group."""
    with tempfile.TemporaryDirectory() as name:
        folder, url = Path(name), f"sqlite:///{name}/knockon.db"
        environment = {**os.environ, "KNOCKON_CACHE_DIR": str(folder / "cache")}
        write_trees(folder, size)
        figures: dict[str, float] = {}
        for step in ("read", "lint", "publish", "ask"):
            figures |= json.loads(
                subprocess.run(
                    [sys.executable, __file__, step, str(folder), url],
                    check=True,
                    stdout=subprocess.PIPE,
                    env={**environment, "KNOCKON_CACHE_DIR": ""} if step == "read" else environment,
                ).stdout
            )
        started = time.perf_counter()
        with serving("executing", url, until_s=300) as server:
            figures["serve: ready after, s"] = time.perf_counter() - started
            figures |= asked_over_http(server)
        return figures


# --- the trees --------------------------------------------------------------------------------------------------------


def write_trees(folder: Path, size: int) -> None:
    """Both trees with `size` techniques, in `catalog` and `rules` of the folder."""
    copytree(rules_dir(), folder / "rules")
    copytree(catalog_dir(), folder / "catalog", ignore=lambda _, names: {"techniques", "translations.lock"} & {*names})
    bundle = read_tree(catalog_dir(), rules_dir())
    live = {key: body for key, body in bundle.of_kind("technique") if "tombstone" not in body}
    order = {key: place for place, key in enumerate(live)}
    for number, (key, body) in zip(range(size), endless(live), strict=False):
        copy = number // len(live)
        text = yaml.dump(
            renamed(dict(body), copy, left=size - copy * len(live), order=order),
            Dumper=yaml.CSafeDumper,
            allow_unicode=True,
            sort_keys=False,
            width=1_000,
        )
        home = folder / "catalog" / "techniques" / str(body["cells"][0][0])  # type: ignore[index]
        home.mkdir(parents=True, exist_ok=True)
        (home / f"{suffixed(key, copy)}.yaml").write_text(text, encoding="utf-8")


def endless(live: Mapping[str, Mapping[str, object]]) -> Iterator[tuple[str, Mapping[str, object]]]:
    while True:
        yield from live.items()


def renamed(body: Body, copy: int, *, left: int, order: Mapping[str, int]) -> Body:
    """The technique under the names of one copy; what it relates to is of that copy, where that has room (`left`)."""
    body = json.loads(json.dumps(body))
    relations = [one for one in body.pop("relations", ()) if order.get(one["to"], left) < left]  # type: ignore[attr-defined]
    if relations:
        body["relations"] = [{**one, "to": suffixed(one["to"], copy)} for one in relations]
    if copy == 0:
        return body
    body["id"] = suffixed(str(body["id"]), copy)
    blanks = {"en": " ", "zh": ""}
    body["name"] = {  # type: ignore[attr-defined]
        language: f"{name}{blanks[language]}copy{copy}" for language, name in body["name"].items()
    }
    for language, names in body.get("aliases", {}).items():  # type: ignore[attr-defined]
        body["aliases"][language] = [f"{name}{blanks[language]}copy{copy}" for name in names]  # type: ignore[index]
    body.pop("former_ids", None)
    # Sentences of other techniques say other things; copies would all be complained about as near-duplicates.
    source = random.Random(f"{body['id']}")
    for language, blank in blanks.items():
        pieces = re.findall(PIECES[language], body["summary"][language])  # type: ignore[index]
        source.shuffle(pieces)
        body["summary"][language] = blank.join(pieces)  # type: ignore[index]
    return body


def suffixed(key: str, copy: int) -> str:
    return f"{key}-copy-{copy}" if copy else key


# --- the steps, each in a process of its own --------------------------------------------------------------------------


def step(name: str, folder: Path, url: str) -> dict[str, float]:
    match name:
        case "read":
            _, took = timed(lambda: read_tree(folder / "catalog", folder / "rules"))
            return {"read from YAML: CPU, s": took, "read from YAML: memory, MiB": peak_mib()}
        case "lint":
            figures = {"lint: CPU, s": lint(folder), "lint again: CPU, s": lint(folder)}
            changed = next((folder / "catalog" / "techniques").rglob("*.yaml"))
            changed.write_text(f"# Changed.\n{changed.read_text('utf-8')}", encoding="utf-8")
            return figures | {"lint, one file changed: CPU, s": lint(folder)}
        case "publish":
            bundle = read_tree(folder / "catalog", folder / "rules")
            with open_store(url) as store:
                store.migrate()
                _, took = timed(lambda: store.publish(bundle, author="bench", message="synthetic"))
            return {"publish to SQLite: CPU, s": took}
        case _:
            return asked(url)


def lint(folder: Path) -> float:
    """Seconds of CPU for a look at both trees, in which nothing is wrong."""
    problems, took = timed(lambda: lint_tree(folder / "catalog", folder / "rules"))
    assert not problems, problems
    return took


def asked(url: str) -> dict[str, float]:
    """What a service does: reads the revision, builds, answers."""
    with open_store(url) as store:
        bundle, read = timed(lambda: store.read(1))
    knowledge, built = timed(lambda: whole(knowledge_of(bundle)))
    # As the service does: a full collection over a million objects would be counted to the question it happens in.
    settle()
    held = knowledge.catalog
    rules = {"rules": knowledge.rulebook.couple, "vocabulary": knowledge.rulebook.vocabulary}
    techniques = held.live[:: len(held.live) // ASKED]
    cells = [one.cells[0] for one in techniques]
    return {
        "read from SQLite: CPU, s": read,
        "build with all indexes: CPU, s": built,
        "built: memory, MiB": peak_mib(),
        **spent("breaks, depth 5", [lambda one=one: breaks(held, one, depth=5, **rules) for one in techniques]),
        **spent("search", [lambda words=words: search(held, words, limit=20) for words in WORDS * 4]),
        **spent("place", [lambda cell=cell: place(held, cell, mechanism="new") for cell in cells]),
        **spent("technique by alias", [lambda one=one: held.technique(one.name.en) for one in techniques]),
    }


def whole(knowledge: Knowledge) -> Knowledge:
    """With everything made that is otherwise made when first asked for."""
    indexes = knowledge.catalog.indexes
    knowledge.catalog.needs_naming(())
    len(knowledge.catalog.said.told)
    for made in (indexes.technique_names, indexes.shifts_on, indexes.relations_to):
        len(made.ids if hasattr(made, "ids") else made)
    for table in (indexes.by_cell, indexes.by_stage, indexes.by_layer, indexes.by_dimension, indexes.by_mechanism):
        len(table)
    return knowledge


def spent(what: str, ways: list[Callable[[], object]]) -> dict[str, float]:
    """Median and worst CPU in ms of a number of questions, each asked twice and counted the second time."""
    took = []
    for way in ways:
        way()
        took.append(timed(way)[1] * 1e3)
    return {f"{what}: median, ms": statistics.median(took), f"{what}: worst, ms": max(took)}


def timed(way: Callable[[], object]) -> tuple[object, float]:
    start = own_cpu_s()
    value = way()
    return value, own_cpu_s() - start


def own_cpu_s() -> float:
    """CPU of this process and of those that it started and that have ended: reading a tree is shared by two."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)


def peak_mib() -> float:
    """The most that this process held, and the largest that it started beside it."""
    held = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_maxrss for one in held) / 1024


# --- over HTTP --------------------------------------------------------------------------------------------------------

QUERIES = {
    "technique": "query ($id: ID!) { technique(id: $id) { ... on Technique { id name { en zh } } } }",
    "breaks, 3 hops": "query ($id: ID!) { breaks(technique: $id, depth: 3) { ... on Breaks { hops { depth } } } }",
}


def asked_over_http(server: Server) -> dict[str, float]:
    """CPU of the server for one request, executed anew each time; the first ones parse and index, and do not count."""
    figures = {}
    for name, query in QUERIES.items():
        request = request_of(query, {"id": "tensor-parallelism"})
        asyncio.run(asked_in_turn(server, request, WARMING))
        before = cpu_s(server.pid)
        asyncio.run(asked_in_turn(server, request, ASKED))
        figures[f"serve: {name}, CPU, ms"] = (cpu_s(server.pid) - before) / ASKED * 1e3
    status = Path(f"/proc/{server.pid}/status").read_text()
    figures["serve: memory, MiB"] = int(status.split("VmRSS:")[1].split()[0]) / 1024
    return figures


async def asked_in_turn(server: Server, request: bytes, times: int) -> None:
    for _ in range(times):
        await answer_of(server, request)


if __name__ == "__main__":
    print(json.dumps(step(sys.argv[1], Path(sys.argv[2]), sys.argv[3])))
