import pytest

from knockon.catalog.symptom import Recognised, phrases_of, recognise
from tests.catalog.bundles import catalog_of, symptom

PHRASES = phrases_of(
    catalog_of(
        symptom("decode-slow", en=["decode slow", "high ITL"], zh=["解码慢", "ITL 高"], L5="likely"),
        symptom("memory-tight", en=["memory tight", "not enough memory"], zh=["显存紧张", "显存不足"], L5="likely"),
        symptom("gpu-idle", en=["gpu idle"], zh=["GPU 空闲"], L5="likely"),
        symptom("end-to-end-slow", en=["end to end slow"], zh=["端到端慢"], L6="likely"),
        symptom("each-layer-fine", en=["each layer fine"], zh=["每一层正常"], L6="likely"),
    ).symptoms.values()
)


@pytest.mark.parametrize(
    ("said", "symptoms", "unclear"),
    [
        ("decode slow, memory tight", ("decode-slow", "memory-tight"), ()),
        ("Decoding is very SLOW and the memory is tight!", ("decode-slow", "memory-tight"), ()),
        ("slow decode", ("decode-slow",), ()),
        ("memory tight; decode slow", ("memory-tight", "decode-slow"), ()),
        ("end-to-end slow while each layer is fine", ("end-to-end-slow", "each-layer-fine"), ()),
        ("解码慢，显存紧张", ("decode-slow", "memory-tight"), ()),
        ("解码很慢、显存非常紧张", ("decode-slow", "memory-tight"), ()),
        ("端到端慢但每一层都正常", ("end-to-end-slow", "each-layer-fine"), ()),
        ("ＧＰＵ 空闲", ("gpu-idle",), ()),
        ("GPU 空闲 显存不足", ("gpu-idle", "memory-tight"), ()),
        ("高 ITL", ("decode-slow",), ()),
        ("not enough memory", ("memory-tight",), ()),
        ("decode slow, decode slow", ("decode-slow",), ()),
        ("decode slow, the moon is blue", ("decode-slow",), ("the moon is blue",)),
        ("decode is not slow", (), ("decode is not slow",)),
        ("不是解码慢", (), ("不是解码慢",)),
        ("decode fast slow memory", (), ("decode fast slow memory",)),
        ("解码 慢", ("decode-slow",), ()),
        ("慢解码", (), ("慢解码",)),
        ("", (), ()),
        ("!?", (), ()),
    ],
)
def test_text_is_read_clause_by_clause(said: str, symptoms: tuple[str, ...], unclear: tuple[str, ...]) -> None:
    assert recognise(said, PHRASES) == Recognised(symptoms, unclear)


def test_longer_saying_wins_over_the_shorter_one_in_it() -> None:
    symptoms = catalog_of(
        symptom("slow", en=["slow"], L5="likely"), symptom("decode-slow", en=["decode slow"], L5="likely")
    ).symptoms.values()

    assert recognise("decode slow", phrases_of(symptoms)).symptoms == ("decode-slow",)
