"""Prices of calls: those that the user gives, or that inspect knows of its providers' models."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

from worldquiz.errors import KnobError
from worldquiz.llm.records import Usage


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    cached: float
    output: float

    @classmethod
    def read(cls, text: str) -> Price:
        """Read ``INPUT,CACHED,OUTPUT``. Raises `KnobError`."""
        try:
            prices = cls(*(float(part) for part in text.split(",")))
        except (TypeError, ValueError) as error:
            raise KnobError(
                f"price {text!r}: give US dollars per million tokens as INPUT,CACHED,OUTPUT, "
                "e.g. 1.25,0.125,10"
            ) from error
        if not all(0 <= part < inf for part in (prices.input, prices.cached, prices.output)):
            raise KnobError(f"price {text!r}: prices are not below 0, and have an end")
        return prices

    def of(self, usage: Usage) -> float:
        """Return what a usage costs."""
        fresh = usage.input - usage.cached
        total = fresh * self.input + usage.cached * self.cached + usage.output * self.output
        return total / 1e6
