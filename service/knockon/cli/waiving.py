"""Finds the waiver files of a run, says which findings they cover, and which of them are out of date."""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

from knockon.cli.paths import is_file, resolved
from knockon.cli.reading import read_text
from knockon.formats.base import Accepted, FindingRow, PlaceRow, RuleRow
from knockon.jobs.described import Described
from knockon.jobs.fingerprint import Setting, fingerprint
from knockon.jobs.waiver import FILE_NAME, Subject, Waiver, read_waivers
from knockon.terms.words import Text


@dataclass
class _File:
    """One waiver file while the run goes on."""

    folder: Path
    waivers: tuple[Waiver, ...]
    used: set[int] = field(default_factory=set)
    reached: set[int] = field(default_factory=set)
    expired: set[int] = field(default_factory=set)


@dataclass
class Waiving:
    """The waivers of one run."""

    today: date
    named: str | None = None
    """The waiver file named on the command line; else those beside and above each checked file."""
    roots: Sequence[str] = ()
    """The folders that were checked whole."""
    _files: dict[Path, _File] = field(default_factory=dict)
    _above: dict[Path, list[_File]] = field(default_factory=dict)

    def accepted(self, rule: str, described: Described, settings: Sequence[Setting]) -> Accepted | None:
        """The waiver that covers a finding of a launch; None where none does, or only one that is over.

        Raises:
            CurationError: a waiver file that does not hold.
        """
        found: Accepted | None = None
        for file in self._of(described.path):
            inside = _inside(described.path, file.folder)
            subject = Subject(rule, inside, described.kind, described.name, settings)
            for index, waiver in enumerate(file.waivers):
                if not waiver.covers(subject):
                    continue
                file.used.add(index)
                if waiver.is_expired(self.today):
                    file.expired.add(index)
                elif found is None:
                    found = Accepted("waived", waiver.reason, waiver.expires.isoformat(), str(waiver.at))
        return found

    def look_at(self, path: str) -> None:
        """Say that the launches of a file were checked; raises CurationError."""
        for file in self._of(path):
            inside = _inside(path, file.folder)
            file.reached.update(index for index, one in enumerate(file.waivers) if one.reaches(inside))

    def out_of_date(self, *, language: str) -> list[FindingRow]:
        """Waivers that are over, and those that no finding needs any more, as notes."""
        rows = []
        for file in self._files.values():
            is_whole = any(file.folder.is_relative_to(resolved(root)) for root in self.roots)
            for index, waiver in enumerate(file.waivers):
                if index in file.expired:
                    rows.append(_row("waiver-expired", waiver, language))
                elif index not in file.used and (is_whole or index in file.reached):
                    rows.append(_row("waiver-unused", waiver, language))
        return rows

    def _of(self, path: str) -> list[_File]:
        if self.named is not None:
            path_named = Path(self.named)
            return [self._files.get(path_named) or self._read(path_named)]
        folder = resolved(path).parent if not path.startswith("<") else Path.cwd()
        if folder not in self._above:
            self._above[folder] = [self._files.get(each) or self._read(each) for each in _waiver_files(folder)]
        return self._above[folder]

    def _read(self, path: Path) -> _File:
        shown = str(path if self.named is not None else _shown(path))
        file = self._files[path] = _File(resolved(path).parent, read_waivers(read_text(shown), path=shown))
        return file


def _waiver_files(folder: Path) -> Iterator[Path]:
    """The waiver files in a folder and above it, up to the repository: above that are other people's files."""
    for each in (folder, *folder.parents):
        if is_file(each / FILE_NAME):
            yield each / FILE_NAME
        if (each / ".git").exists():
            return


def _shown(path: Path) -> Path:
    try:
        return path.relative_to(Path.cwd())
    except ValueError:
        return path


def _inside(path: str, folder: Path) -> str:
    if path.startswith("<"):
        return path
    return Path(os.path.relpath(Path(path).resolve(), folder)).as_posix()


def _row(rule_id: Literal["waiver-expired", "waiver-unused"], waiver: Waiver, language: str) -> FindingRow:
    if rule_id == "waiver-expired":
        title = Text("A waiver is over", "豁免已到期")
        said = Text(
            f"The waiver of {waiver.rule} ended on {waiver.expires}; what it covered counts again. "
            f"Its reason was: {waiver.reason}",
            f"{waiver.rule} 的豁免已于 {waiver.expires} 到期，相应问题重新计入。原因曾为：{waiver.reason}",
        )
    else:
        title = Text("A waiver is not needed", "豁免未被使用")
        said = Text(
            f"Nothing needs this waiver of {waiver.rule} for {waiver.path}: remove it",
            f"{waiver.path} 的 {waiver.rule} 豁免已无对应问题：请删除",
        )
    path = _inside(waiver.at.path, Path.cwd())
    launch, setting = waiver.launch or "", waiver.setting or ""
    about = (("rule", waiver.rule), ("path", waiver.path), ("launch", launch), ("setting", setting))
    return FindingRow(
        rule=RuleRow(rule_id, title.in_language(language), "note"),
        verdict="note",
        text=said.in_language(language),
        fingerprint=fingerprint(rule_id, path=path, kind="waiver", name="", settings=about),
        at=PlaceRow(path, waiver.at.line, waiver.at.column),
    )
