"""A learner that learns nothing, but would notice anything that a run forgets.

As a program it is killed by the tests: python toy_learner.py FOLDER STEPS
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

from crossboard.runs import Run, generator_from_state, generator_state

SIZE = 8


def learn(folder: Path, steps: int, *, every: int = 3, pause: float = 0) -> None:
    """Go on with the run, or begin it, until its end."""
    with Run.resume(folder, {"seed": 1, "steps": steps, "toy": {"every": every}}, keep=2) as run:
        if run.is_finished:
            return
        last = run.latest()
        if last is None:
            step, rng = 0, np.random.default_rng(run.config["seed"])
            weights, momentum = rng.normal(size=SIZE), np.zeros(SIZE, np.float32)
        else:
            step, rng = last.step, generator_from_state(last.state["random"])
            weights, momentum = last.tensors["weights"], last.tensors["momentum"]
        while step < steps:
            step += 1
            momentum *= np.float32(0.9)
            momentum += rng.normal(size=SIZE).astype(np.float32)
            weights -= 0.01 * momentum
            run.log(step, loss=weights @ weights, games=10 * step)
            run.record(f'[Event "{step}"]\n\n*\n\n')
            time.sleep(pause)
            if step % every == 0 or step == steps:
                tensors = {"weights": weights, "momentum": momentum}
                run.save(step, tensors, {"random": generator_state(rng)})
        run.write("report.md", f"{weights.tolist()}\n")
        run.finish()


if __name__ == "__main__":
    learn(Path(sys.argv[1]), int(sys.argv[2]), pause=0.0005)
