import pytest

from knockon.terms.series import Series


def test_span_is_from_the_first_value_to_the_last() -> None:
    assert Series("waiting_count", (10.0, 25.0, 70.0), (0.0, 3.0, 9.0), "up.prom").span_s == 60.0


@pytest.mark.parametrize(
    ("at_s", "values"), [((), ()), ((1.0,), (1.0, 2.0)), ((2.0, 1.0), (0.0, 0.0)), ((1.0, 1.0), (0.0, 0.0))]
)
def test_times_that_do_not_fit_the_values_are_refused(at_s: tuple[float, ...], values: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match="waiting_count"):
        Series("waiting_count", at_s, values, "up.prom")
