"""What `worldquiz --help` costs beside `import typer, rich`, in CPU seconds of fresh processes.

    python benchmarks/cli_startup.py [--runs 15]

The two take turns, so that a busy machine slows both; medians are printed with their ratio.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys

LIBRARIES = [sys.executable, "-c", "import typer, rich"]
HELP = [sys.executable, "-m", "worldquiz", "--help"]


def cpu_seconds(command: list[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    cpu_seconds(HELP)  # writes the compiled modules
    pairs = [(cpu_seconds(LIBRARIES), cpu_seconds(HELP)) for _ in range(runs)]
    libraries, shown = (statistics.median(each) for each in zip(*pairs, strict=True))
    print("| | CPU seconds |")
    print("|---|---|")
    print(f"| import typer, rich | {libraries:.3f} |")
    print(f"| worldquiz --help | {shown:.3f} |")
    print(f"| ratio | {shown / libraries:.2f} |")


if __name__ == "__main__":
    main()
