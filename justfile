# Everything that must hold before a change is done: `just check`.
check: lint types layers test

# Style, and formatting as ruff writes it.
lint:
    ruff check .
    ruff format --check src tests benchmarks examples

# Every annotation, strictly.
types:
    mypy

# Imports only go down (.importlinter).
layers:
    lint-imports --no-logo --no-cache

# All tests, on two processes.
test *options:
    pytest -n 2 {{ options }}

# The command reference, from the commands' own help.
docs:
    typer worldquiz.cli utils docs --name worldquiz --title "Commands" --output docs/cli.md
