"""Closed sets that the domain keeps as plain texts: of sources, thresholds, readings, loops and places."""

from enum import StrEnum

from knockon.api.shape import enum


class SourceKind(StrEnum):
    """What a source is."""

    PAPER = "paper"
    DOCUMENT = "document"
    CODE = "code"
    ISSUE = "issue"
    DATASET = "dataset"
    EXPERIENCE = "experience"


class SizeBasis(StrEnum):
    """What a size rests on that nobody measured."""

    ARITHMETIC = "arithmetic"
    STATED = "stated"
    EXAMPLE = "example"


class Provenance(StrEnum):
    """Where the value of a threshold comes from."""

    EXPERIENCE = "experience"
    MEASURED = "measured"
    HISTORY = "history"
    DATASHEET = "datasheet"


class ValueType(StrEnum):
    """What the values of a name are."""

    INT = "int"
    NUMBER = "number"
    BOOL = "bool"
    TEXT = "text"
    VERSION = "version"


class Checklist(StrEnum):
    """One class of the collection checklist."""

    KPI = "kpi"
    RESOURCE = "resource"
    CONTEXT = "context"


class ReadingState(StrEnum):
    """Whether a reading is a number."""

    MEASURED = "measured"
    MISSING = "missing"
    INVALID = "invalid"


class LoopKind(StrEnum):
    """How a rise comes back through a feedback loop."""

    REINFORCING = "reinforcing"
    DAMPING = "damping"


class Aside(StrEnum):
    """The coordinate in which a neighbouring cell differs."""

    OTHER_LAYER = "other layer"
    OTHER_DIMENSION = "other dimension"
    OTHER_STAGE = "other stage"


class PlacementRule(StrEnum):
    """What decides how something new stands to what is in its cell."""

    CELL_IMPOSSIBLE = "cell-impossible"
    CELL_EMPTY = "cell-empty"
    MECHANISM_OF_TWO = "mechanism-of-two"
    SAME_CELL_SAME_MECHANISM = "same-cell-same-mechanism"
    CELLS_OF_TWO = "cells-of-two"
    SAME_CELL_OTHER_MECHANISM = "same-cell-other-mechanism"
    MECHANISM_NOT_SAID = "mechanism-not-said"


class AdviceStage(StrEnum):
    """When advice is to be tried."""

    MACRO = "macro"
    SERVICE = "service"
    OPERATOR = "operator"


class CompareContext(StrEnum):
    """What two runs must have in common."""

    LOAD = "load"
    MODEL = "model"
    HARDWARE = "hardware"
    CONFIG = "config"


class SeenOfShift(StrEnum):
    """What readings say of a shift."""

    AS_EXPECTED = "as expected"
    OPPOSITE = "opposite"
    NOT_MOVED = "not moved"
    NOT_MEASURED = "not measured"


enum(
    SourceKind,
    "What a source is.",
    says={
        "PAPER": "A paper.",
        "DOCUMENT": "A page of documentation, an article, a datasheet.",
        "CODE": "Source code at a release or commit.",
        "ISSUE": "A thread of an issue tracker.",
        "DATASET": "Published measurements.",
        "EXPERIENCE": "What people who run such systems report.",
    },
)
enum(
    SizeBasis,
    "What a size rests on that nobody measured.",
    says={
        "ARITHMETIC": "It follows from counts and widths.",
        "STATED": "A product, a rule or its makers' advice sets it.",
        "EXAMPLE": "Its source made it up to show something.",
    },
)
enum(
    Provenance,
    "Where the value of a threshold comes from.",
    says={
        "EXPERIENCE": "A rule of thumb; no physical limit.",
        "MEASURED": "Measured on a system of that kind.",
        "HISTORY": "Taken from earlier runs of the same system.",
        "DATASHEET": "A figure of the vendor.",
    },
)
enum(
    ValueType,
    "What the values of a name are.",
    says={
        "INT": "Whole numbers.",
        "NUMBER": "Numbers.",
        "BOOL": "True or false.",
        "TEXT": "Texts.",
        "VERSION": "Versions, compared part by part.",
    },
)
enum(
    Checklist,
    "One class of the collection checklist.",
    says={
        "KPI": "What the users of the system get: latency, throughput.",
        "RESOURCE": "How much of each resource is used.",
        "CONTEXT": "Load and configuration, without which the others cannot be read.",
    },
)
enum(
    ReadingState,
    "Whether a reading is a number.",
    says={
        "MEASURED": "It is one.",
        "MISSING": "Its source has a place for it and no value; `why` says more.",
        "INVALID": "What stands there cannot be, or is not to be trusted; `why` says more.",
    },
)
enum(
    LoopKind,
    "How a rise comes back through a feedback loop.",
    says={"REINFORCING": "As a rise.", "DAMPING": "As a fall."},
)
enum(
    Aside,
    "The coordinate in which a neighbouring cell differs.",
    says={
        "OTHER_LAYER": "Same stage and dimension.",
        "OTHER_DIMENSION": "Same stage and layer.",
        "OTHER_STAGE": "Same layer and dimension.",
    },
)
enum(
    PlacementRule,
    "What decided how something new stands to what is in its cell; `because` says it in words.",
    says={
        "CELL_IMPOSSIBLE": "Nothing can be in the cell.",
        "CELL_EMPTY": "The cell held nothing until now.",
        "MECHANISM_OF_TWO": "Its mechanism joins those of others.",
        "SAME_CELL_SAME_MECHANISM": "Others are in the cell and work the same way.",
        "CELLS_OF_TWO": "Only two others together occupy all its cells.",
        "SAME_CELL_OTHER_MECHANISM": "Others are in the cell and work another way.",
        "MECHANISM_NOT_SAID": "Others are in the cell, and the mechanism would decide.",
    },
)
enum(
    AdviceStage,
    "When advice is to be tried.",
    says={
        "MACRO": "First: parameters of the engine and of parallelism.",
        "SERVICE": "Then: applications, routing and scheduling.",
        "OPERATOR": "Last, and only where the operator gate is open: single operators.",
    },
)
enum(
    CompareContext,
    "What two runs must have in common to be compared.",
    says={
        "LOAD": "Request lengths and concurrency.",
        "MODEL": "The model.",
        "HARDWARE": "GPUs and their number.",
        "CONFIG": "Known on both sides; it may differ.",
    },
)
enum(
    SeenOfShift,
    "What readings say of a shift.",
    says={
        "AS_EXPECTED": "The quantity moved the way the catalog says.",
        "OPPOSITE": "It moved the other way.",
        "NOT_MOVED": "It moved by no more than runs differ.",
        "NOT_MEASURED": "No reading of it is in both runs.",
    },
)
