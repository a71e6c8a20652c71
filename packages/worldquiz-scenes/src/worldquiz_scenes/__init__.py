"""Furnished apartments, generated, settled by physics, drawn and walked on a CPU with exact truth.

    from worldquiz_scenes.config import PRESETS
    from worldquiz_scenes.generate import generate

    scene = generate(PRESETS["tiny"].knobs, 7, "tiny-7")

Importing loads no simulator.
"""

__version__ = "0.1.0"
