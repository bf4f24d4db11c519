"""Runs the benchmarks of this folder: all of them, or those named on the command line."""

import argparse
import os

from catalog import catalog
from check import check
from rules import rules
from service import service

BENCHMARKS = {"service": service, "check": check, "rules": rules, "catalog": catalog}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of {', '.join(BENCHMARKS)}; all when not given")
    parser.add_argument("--rounds", type=int, default=7, help="rounds, in each of which every server is measured once")
    parser.add_argument("--seconds", type=float, default=0.5, help="length of one measurement")
    given = parser.parse_args()
    if unknown := set(given.names) - BENCHMARKS.keys():
        parser.error(f"no benchmark is called {', '.join(sorted(unknown))}")
    print(f"load average at the start: {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores")
    for name, benchmark in BENCHMARKS.items():
        if not given.names or name in given.names:
            benchmark(rounds=given.rounds, seconds=given.seconds)
    print(f"load average at the end: {os.getloadavg()[0]:.2f}")


if __name__ == "__main__":
    main()
