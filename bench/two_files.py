#!/usr/bin/env python3
"""What it takes to compile the throng.cpp of scripts/amalgamate, by GCC and by Clang, with all instruction sets and with one.

    bench/two_files.py            measures, appends to results/<cpu>-two-files.csv, and writes the table of docs/install.md
    bench/two_files.py --table    writes the table again

Times are those of the processor, so a machine that has other work as well says nearly the same.
"""

import argparse
import csv
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from measure import HERE, append_csv, between, cpu_name, note, stop, today

FIELDS = ["cpu", "compiler", "date", "flags", "seconds", "memory_mb", "code_kb"]
SETS = ("", "-march=native -DTHRONG_ONE_SET=1")
PAGE = HERE.parent / "docs" / "install.md"


def version(compiler):
    words = subprocess.run([compiler, "--version"], check=True, capture_output=True, text=True).stdout
    return f"{'Clang' if 'clang' in words else 'GCC'} {re.search(r'[0-9]+[.][0-9]+[.][0-9]+', words)[0]}"


def compiled(compiler, flags, folder):
    """Seconds of one core, megabytes of memory, and kilobytes of code and tables."""
    process = subprocess.Popen([compiler, "-std=c++20", *flags.split(), "-c", "throng.cpp", "-o", "throng.o"], cwd=folder)
    _, status, used = os.wait4(process.pid, 0)
    if status != 0:
        stop(f"{compiler} {flags} failed")
    sections = subprocess.run(["size", folder / "throng.o"], check=True, capture_output=True, text=True).stdout.splitlines()
    return [round(used.ru_utime + used.ru_stime), round(used.ru_maxrss / 1000), round(int(sections[1].split()[0]) / 1000)]


def measured():
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([HERE.parent / "scripts" / "amalgamate", folder], check=True)
        for compiler in filter(shutil.which, ("g++", "clang++")):
            for flags in (f"-O3 {sets}".strip() for sets in SETS):
                note(f"{compiler} {flags}")
                about = [cpu_name(), version(compiler), today(), flags]
                rows.append(about + compiled(compiler, flags, pathlib.Path(folder)))
    return rows


def table():
    """The newest row of each compiler and flags; nothing where nothing was measured."""
    newest = {}
    for path in sorted((HERE / "results").glob("*-two-files.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                newest[row["cpu"], row["compiler"], row["flags"]] = row
    if not newest:
        return ""
    lines = ["What it takes to compile `throng.cpp` ([`bench/two_files.py`](../bench/two_files.py)):", "",
             "| machine | compiler, flags | seconds of one core | memory | code and tables |", "|---|---|--:|--:|--:|"]
    for row in newest.values():
        lines.append(f"| {row['cpu']}, {row['date']} | {row['compiler']} `{row['flags']}` | {row['seconds']} | "
                     f"{int(row['memory_mb']) / 1000:.1f} GB | {int(row['code_kb']) / 1000:.1f} MB |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--table", action="store_true", help="measure nothing")
    if not parser.parse_args().table:
        append_csv(HERE / "results", cpu_name(), "-two-files", FIELDS, measured())
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(between(text, "two files", table()), encoding="utf-8")


if __name__ == "__main__":
    main()
