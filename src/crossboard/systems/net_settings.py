"""What can be set of a net and of TD(lambda), the same for all systems that have them."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from crossboard.evaluators import (
    EvalNet,
    Mapping,
    Network,
    binary_mapping,
    direct_mapping,
    feature_mapping,
    refuse_second_names,
)
from crossboard.evaluators.description import by_name
from crossboard.evaluators.network import HIGH, LOW
from crossboard.learn import TdSettings
from crossboard.learn.td import TraceDecay
from crossboard.systems.recipes import RecipeSettings

# Defaults come from the learner's settings.
TD = TdSettings()


class NetSettings(RecipeSettings):
    """A net, what it sees, and how it learns; the defaults are the paper's (Lynch 1997, 9.1)."""

    mapping: Literal["lynch", "ufu", "samuel", "binary", "direct"] = "lynch"
    features: tuple[tuple[str, int], ...] = ()  # names and bits, in place of a whole family
    off: Literal[-1, 0] = -1  # the level of an input bit that is off; on is 1
    quirks: bool = False  # boards and gradient as the program of 1997 had them
    hidden: Annotated[int, Field(ge=1, le=10_000)] = 12
    direct_links: bool = True
    low: float = LOW
    high: float = HIGH
    weights_seed: Annotated[int, Field(ge=-1)] = -1  # -1: the run's
    weights: tuple[float, ...] = ()  # to begin with, w1 by rows, w2, w3; none: drawn
    rate1: Annotated[float, Field(ge=0)] = TD.rate1
    rate2: Annotated[float, Field(ge=0)] = TD.rate2
    momentum: Annotated[float, Field(ge=0, le=1)] = TD.momentum
    direction_check: bool = TD.direction_check
    gamma: Annotated[float, Field(ge=0, le=1)] = TD.gamma
    decay: Annotated[float, Field(ge=0, le=1)] = TD.decay  # lambda
    trace_decay: TraceDecay = TD.trace_decay

    @model_validator(mode="after")
    def _has_what_is_set(self) -> Self:
        if self.off != -1 and self.mapping == "direct" and not self.features:
            raise ValueError("off is the level of a bit: the direct map has none")
        if self.weights:
            self._check_weights()
        self.make_td()  # which complains
        return self

    def idle_keys(self) -> dict[str, str]:
        """Return the keys that have no effect, and why."""
        idle: dict[str, str] = {}
        if self.weights:
            idle |= dict.fromkeys(("low", "high", "weights_seed"), "weights are given, not drawn")
        if self.momentum == 0:
            idle["direction_check"] = "it is for momentum"
        if self.gamma == 1:
            idle["trace_decay"] = "with gamma=1 both are the same"
        return idle

    def _check_weights(self) -> None:
        inputs = self.make_mapping().size
        needed = (inputs + 1) * (self.hidden + self.direct_links) + self.hidden + 1
        if len(self.weights) != needed:
            links = "direct links" if self.direct_links else "no direct links"
            raise ValueError(
                f"weights: {inputs} inputs, {self.hidden} hidden units and {links} have {needed}, "
                f"not {len(self.weights)}"
            )

    def check_means(self) -> None:
        """Raise ValueError if there is no such net, or not the memory to train it."""
        if not self.quirks:  # with them Lynch's names mean other numbers
            refuse_second_names(name for name, _ in self.features)
        self.initial(0)

    def make_mapping(self) -> Mapping:
        """Return what the net sees of the board."""
        quirks = "lynch" if self.quirks else None
        if self.features:
            return feature_mapping(self.features, off=self.off, quirks=quirks)
        if self.mapping == "binary":
            return binary_mapping(off=self.off)
        if self.mapping == "direct":
            return direct_mapping(quirks=quirks)
        return feature_mapping(self.mapping, off=self.off, quirks=quirks)

    def make_td(self) -> TdSettings:
        """Return how the net learns."""
        return TdSettings(
            rate1=self.rate1,
            rate2=self.rate2,
            momentum=self.momentum,
            gamma=self.gamma,
            decay=self.decay,
            trace_decay=self.trace_decay,
            direction_check=self.direction_check,
            quirks="lynch" if self.quirks else None,
        )

    def untrained(self, seed: int) -> Network | None:
        """Return what a training begins with."""
        return self.initial(seed)

    def initial(self, seed: int) -> Network:
        """Return the network a training begins with."""
        mapping = self.make_mapping()
        if self.weights:
            return Network.of(mapping, self._given_net(mapping.size))
        return Network.initial(
            mapping,
            self.hidden,
            seed=seed if self.weights_seed < 0 else self.weights_seed,
            direct=self.direct_links,
            low=self.low,
            high=self.high,
        )

    def _given_net(self, inputs: int) -> EvalNet:
        import numpy as np

        shapes: dict[str, tuple[int, ...]] = {
            "w1": (inputs + 1, self.hidden),
            "w2": (self.hidden + 1,),
        }
        if self.direct_links:
            shapes["w3"] = (inputs + 1,)
        return EvalNet(**by_name(np.array(self.weights), shapes))
