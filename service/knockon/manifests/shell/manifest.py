"""Reads shell scripts and command lines."""

import re
from collections.abc import Sequence

from knockon.manifests.base import File, Launch, Notes, file_set
from knockon.manifests.found import Around
from knockon.manifests.launching import launch_of
from knockon.manifests.lookup import files_in, source_of
from knockon.manifests.program import MENTIONS
from knockon.manifests.script import launches_in_script

_ENDINGS = frozenset({"sh", "bash", "zsh", "ksh", "slurm", "sbatch", "command"})
_OTHER_ENDINGS = frozenset({"yaml", "yml", "json", "md", "py", "toml", "rst", "tpl", "ipynb", "html", "service"})
_SHEBANG = re.compile(r"#!\s*\S*(?:/|\benv\s+)(?:ba|da|z|k|a)?sh\b")
# https://slurm.schedmd.com/sbatch.html: what a job asks for in comments at its top.
_ASKED = re.compile(r"^#SBATCH\s+(--gpus-per-node|--gres|--gpus|-G|--nodes|-N)[= ]\s*(\S+)", re.MULTILINE)
_TRAILING_COUNT = re.compile(r"(?:^|[:=])(\d{1,4})$")


class Shell:
    """Shell scripts and command lines."""

    name = "shell"

    def recognises(self, file: File) -> bool:
        """A script by its name or first line; any other text that mentions an engine and is of no other known kind."""
        ending = file.name.rpartition(".")[2].lower() if "." in file.name else ""
        if ending in _ENDINGS or _SHEBANG.match(file.text):
            return True
        return ending not in _OTHER_ENDINGS and MENTIONS.search(file.text) is not None

    def read(self, file: File, *, others: Sequence[File]) -> tuple[Launch, ...]:
        """Read every command of the script; see `Manifest.read`."""
        files = files_in(file_set(others), beside=file)
        notes = Notes()
        # Other scripts are read as files of their own; only what this one sources or writes belongs to it.
        around = Around(launches_in_script, notes, files=lambda path: files(path) if path.endswith("env") else None)
        found = launches_in_script(source_of(file), around)
        count = _asked_gpus(file.text)
        launches: list[Launch] = []
        for each in found:
            where = file.name if len(found) == 1 else f"{file.name}:{each.words[0].at.line}"
            taken = sum(launch.name.partition("#")[0] == where for launch in launches)
            where = f"{where}#{taken + 1}" if taken else where
            own = notes.copy()
            gpus = each.gpu_count if each.gpu_count is not None else count
            launches.append(launch_of(each, own, name=where, kind=self.name, lookup=files, gpu_count=gpus))
        return tuple(launches)


def _asked_gpus(text: str) -> int | None:
    """The GPUs a Slurm job asks for, over all its nodes."""
    asked = {}
    for match in _ASKED.finditer(text):
        count = _TRAILING_COUNT.search(match[2])
        if count is not None:
            asked[match[1]] = int(count[1])
    total = asked.get("--gpus", asked.get("-G"))
    if total is not None:
        return total
    each = asked.get("--gpus-per-node", asked.get("--gres"))
    return each * asked.get("--nodes", asked.get("-N", 1)) if each is not None else None
