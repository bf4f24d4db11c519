"""The files that engine commands are kept in, and the choice between them."""

import re
from collections.abc import Iterator, Mapping, Sequence

from knockon.manifests.base import File, FileSet, Launch, Manifest, file_set
from knockon.manifests.compose.manifest import Compose
from knockon.manifests.dockerfile.manifest import Dockerfile
from knockon.manifests.found import refuse_many
from knockon.manifests.kubernetes.manifest import Kubernetes
from knockon.manifests.lexer import tokens_of
from knockon.manifests.lookup import source_of
from knockon.manifests.shell.manifest import Shell
from knockon.manifests.systemd.manifest import Systemd
from knockon.manifests.tokens import Operator
from knockon.terms.errors import IntakeError, KnockonError, LimitExceeded, Problem
from knockon.terms.limits import MANIFEST_TEXT_MAX
from knockon.terms.place import Position

# In the order of asking: what recognises the least goes last.
MANIFESTS: Mapping[str, Manifest] = {
    "systemd": Systemd(),
    "dockerfile": Dockerfile(),
    "compose": Compose(),
    "kubernetes": Kubernetes(),
    "shell": Shell(),
}

_NOT_BREAK = re.compile(r"[^\n]")
_SILENT_WHERE_USED = frozenset({"no-engine-command", "unknown-manifest"})
# Kinds of which other people's files hold many; what is in none of them is said to be of no known kind.
_KINDS = "a shell script, a Dockerfile, a Compose file, a Kubernetes manifest, chart values or a systemd unit"


def read_manifests(files: Sequence[File]) -> tuple[Launch | Problem, ...]:
    """Read files that belong together; one that cannot be read does not keep the others from being read.

    Args:
        files: each is read; each may refer to the others.

    Returns:
        In the order of the files, what each starts; a file that starts nothing, or cannot be read, gives a problem,
        but one that another takes something from (variables, a ConfigMap) may start nothing.
    """
    together = file_set(files)
    read = [(file, read_manifest(file, others=together)) for file in together]
    used = together.used
    return tuple(
        each
        for file, results in read
        for each in results
        # What another file took is not silent: it stands in that file's launches.
        if not (isinstance(each, Problem) and each.code in _SILENT_WHERE_USED and file.path in used)
    )


def read_manifest(file: File, *, others: Sequence[File] = ()) -> tuple[Launch | Problem, ...]:
    """Read one file.

    Args:
        file: the file to read.
        others: the files it may refer to: ConfigMaps, environment files, scripts.

    Returns:
        The launches in it, in order; or one problem: it cannot be read, is of no known kind, or starts no engine.
    """
    try:
        launches = launches_in(file, others=others)
    except KnockonError as error:
        return (error.problem,)
    return launches or (_no_engine(file),)


def launches_in(file: File, *, others: Sequence[File] = ()) -> tuple[Launch, ...]:
    """The launches in one file; empty when it starts no engine.

    Raises:
        IntakeError: of no known kind, or it cannot be read; with the place.
        LimitExceeded: a cap of terms/limits.py.
    """
    start = Position(file.path, 1, 1)
    if len(file.text) > MANIFEST_TEXT_MAX:
        found = len(file.text)
        raise LimitExceeded("the size of a manifest in characters", limit=MANIFEST_TEXT_MAX, found=found, at=start)
    nul = file.text.find("\0")
    if nul >= 0:
        at = file.position(nul)
        raise IntakeError(Problem("not-text", "character U+0000 stands here", "a text", "give a text file", at))
    together: FileSet = file_set(others)
    member = next((each for each in MANIFESTS.values() if each.recognises(file)), None)
    if member is None:
        what = "the file is empty" if not file.text.strip() else "the file is of no known kind"
        raise IntakeError(Problem("unknown-manifest", what, expected=_KINDS, at=start))
    launches = member.read(file, others=together)
    if member.name == "shell":
        for applied in _applied(file):
            launches += MANIFESTS["kubernetes"].read(applied, others=together)
    refuse_many(len(launches), start)
    return launches


def _applied(file: File) -> Iterator[File]:
    """The Kubernetes manifests in a script's here-documents, each as the file with everything else blank."""
    if "<<" not in file.text or "apiVersion" not in file.text:
        return
    for token in tokens_of(source_of(file)):
        body = token.body if isinstance(token, Operator) else None
        if body is not None and "apiVersion" in file.text[body.start : body.end]:
            blank = _NOT_BREAK.sub(" ", file.text[: body.start])
            yield File(file.path, blank + file.text[body.start : body.end])


def _no_engine(file: File) -> Problem:
    member = next((each.name for each in MANIFESTS.values() if each.recognises(file)), "manifest")
    return Problem(
        "no-engine-command",
        f"nothing in this {member} file starts an engine known here",
        expected="a command such as `vllm serve MODEL` or a server image with its arguments",
        at=Position(file.path, 1, 1),
    )
