"""Furnished apartments: generated from a seed, drawn on a CPU, and walked through by agents.

    from worldquiz_scenes.config import PRESETS
    from worldquiz_scenes.generate import generate

    scene = generate(PRESETS["tiny"].knobs, 7, "tiny-7")

Importing this package loads no simulator.
"""

__version__ = "0.1.0"
