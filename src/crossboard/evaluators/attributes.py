"""The attributes by which MP-Draughts groups boards."""

from crossboard._core.draughts import features

# The 28 features of MP-Draughts. Chosen: Advancement is present where ADV is above 0, which the
# family's own code of it, moved up by 8, does not show.
UFU_ATTRIBUTES: tuple[str, ...] = tuple(
    "samuel.adv" if feature.name == "ufu.Advancement" else feature.name
    for feature in features()
    if feature.family == "ufu"
)
