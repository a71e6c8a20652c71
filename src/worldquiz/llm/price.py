"""What calls cost: prices that the user gives, or that inspect knows."""

from __future__ import annotations

from dataclasses import dataclass

from worldquiz.errors import KnobError
from worldquiz.llm.extra import require
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
        if not all(part >= 0 for part in (prices.input, prices.cached, prices.output)):
            raise KnobError(f"price {text!r}: prices are not below 0")
        return prices

    def of(self, usage: Usage) -> float:
        """Return what a usage costs."""
        fresh = usage.input - usage.cached
        total = fresh * self.input + usage.cached * self.cached + usage.output * self.output
        return total / 1e6


def known_price(model: str) -> Price | None:
    """Return what inspect knows of a model's price, if anything."""
    require()
    from inspect_ai.model import get_model_info

    try:
        info = get_model_info(model)
    except Exception:  # of whatever provider's library: no price is then known
        return None
    cost = info.cost if info else None
    return Price(cost.input, cost.input_cache_read, cost.output) if cost else None


def tell(model: str, price: Price) -> None:
    """Have inspect reckon a model's calls at a price, in its logs as in our records.

    Tokens written into a cache cost what fresh ones do.
    """
    require()
    from inspect_ai.model import ModelCost, ModelInfo, get_model_info, set_model_info

    cost = ModelCost(
        input=price.input,
        output=price.output,
        input_cache_read=price.cached,
        input_cache_write=price.input,
    )
    known = get_model_info(model) or ModelInfo()
    set_model_info(model, known.model_copy(update={"cost": cost}))
