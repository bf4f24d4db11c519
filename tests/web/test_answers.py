from knockon.web.answers import Answers, Kept


def kept(size: int) -> Kept:
    return Kept(200, b"x" * size, "technique")


def test_answer_is_found_under_its_key() -> None:
    answers = Answers(1_000_000)
    answers.keep(b"a", kept(10))

    assert answers.find(b"a") == kept(10)
    assert answers.find(b"b") is None


def test_longest_unused_answers_fall_out_when_there_are_too_many_bytes() -> None:
    answers = Answers(100_000)
    for key in (b"%02d" % number for number in range(30)):
        answers.keep(key, kept(5_000))
        answers.find(b"00")

    assert answers.bytes <= 100_000
    # 5,000 bytes of body, 2 of key, 400 for the entry: 18 of them fit.
    assert len(answers) == 18
    assert [number for number in range(30) if answers.find(b"%02d" % number)] == [0, *range(13, 30)]


def test_answer_that_would_push_out_many_others_is_not_kept() -> None:
    answers = Answers(100_000)
    answers.keep(b"large", kept(10_000))

    assert answers.find(b"large") is None
    assert (len(answers), answers.bytes) == (0, 0)


def test_without_room_nothing_is_kept() -> None:
    answers = Answers(0)
    answers.keep(b"a", kept(0))

    assert answers.find(b"a") is None


def test_forgotten_answers_take_no_room() -> None:
    answers = Answers(100_000)
    answers.keep(b"a", kept(10))
    answers.clear()

    assert answers.find(b"a") is None
    assert answers.bytes == 0
