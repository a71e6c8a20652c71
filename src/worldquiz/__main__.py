"""``python -m worldquiz`` is the command ``worldquiz``."""

import atexit

from worldquiz.cli import main
from worldquiz.cli.shell import end_with

if __name__ == "__main__":
    code: list[int] = []
    atexit.register(end_with, code)
    try:
        main()
    except SystemExit as end:
        code.append(end.code if isinstance(end.code, int) else bool(end.code))
        raise
