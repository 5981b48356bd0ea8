"""Evaluations: what a position is worth without looking ahead.

Small descriptions made of plain data, which players turn into evaluators of the core. Features
and networks look at the board as its last mover left it; an evaluation speaks for the side to move.
"""

from crossboard._core import MAX_WEIGHT
from crossboard._core.draughts import (
    MAX_FEATURE_BITS,
    BoardAttributes,
    Feature,
    Mapping,
    feature,
    features,
)
from crossboard.evaluators.attributes import UFU_ATTRIBUTES
from crossboard.evaluators.description import (
    LOG_ODDS,
    LOSS_TO_WIN,
    MEN,
    Evaluation,
    EvaluationTable,
    Scale,
    Table,
    scale_of,
)
from crossboard.evaluators.linear import Linear, LinearTable, Material, MaterialTable
from crossboard.evaluators.mappings import (
    binary_mapping,
    count_mapping,
    direct_mapping,
    feature_mapping,
    joined_mapping,
    material_mapping,
    mirror_image,
    pattern_mapping,
    piece_mapping,
    refuse_second_names,
)
from crossboard.evaluators.network import EvalNet, Network, NetworkTable
from crossboard.evaluators.one_layer import InitialTable, OneLayer, OneLayerTable
from crossboard.evaluators.small_net import NetPhase, SmallNet, SmallNetTable

# Every kind of evaluation that a player's folder can hold.
AnyTable = MaterialTable | LinearTable | NetworkTable | SmallNetTable | InitialTable | OneLayerTable

__all__ = [
    "LOG_ODDS",
    "LOSS_TO_WIN",
    "MAX_FEATURE_BITS",
    "MAX_WEIGHT",
    "MEN",
    "UFU_ATTRIBUTES",
    "AnyTable",
    "BoardAttributes",
    "EvalNet",
    "Evaluation",
    "EvaluationTable",
    "Feature",
    "Linear",
    "Mapping",
    "Material",
    "NetPhase",
    "Network",
    "OneLayer",
    "Scale",
    "SmallNet",
    "Table",
    "binary_mapping",
    "count_mapping",
    "direct_mapping",
    "feature",
    "feature_mapping",
    "features",
    "joined_mapping",
    "material_mapping",
    "mirror_image",
    "pattern_mapping",
    "piece_mapping",
    "refuse_second_names",
    "scale_of",
]
