"""``python -m worldquiz`` is the command ``worldquiz``."""

import atexit

from worldquiz.cli import main
from worldquiz.cli.shell import end_as_stopped

if __name__ == "__main__":
    atexit.register(end_as_stopped)
    main()
