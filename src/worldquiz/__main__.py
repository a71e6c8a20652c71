"""``python -m worldquiz`` runs the command ``worldquiz``."""

from worldquiz.cli import main

if __name__ == "__main__":
    main()
