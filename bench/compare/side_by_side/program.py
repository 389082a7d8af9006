"""throng-compare as scripts/compare calls it: its lines, what they have to agree on, and the rows that become of them."""

import functools
import json
import re
import subprocess

import plan as plans
from measure import today


def known_indexes(program):
    text = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^  ([\w.@]+): ", text, re.MULTILINE))


def lines_of(program, step):
    """What it says of itself, its lines, and why it failed, if it did."""
    done = subprocess.run([str(part) for part in step.command(program)], capture_output=True, text=True)
    try:
        lines = [json.loads(text) for text in done.stdout.splitlines()]
    except json.JSONDecodeError:
        return {}, [], f"ended with {done.returncode} and wrote a line that is no JSON"
    run = next((line for line in lines if line["task"] == "run"), {})
    fault = ""
    if done.returncode != 0:
        said = done.stderr.strip().splitlines()
        fault = said[-1] if said else f"ended with {done.returncode}"
    return run, [line for line in lines if line["task"] != "run"], fault


@functools.cache
def debian_version(package):
    try:
        done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], capture_output=True, text=True)
    except OSError:
        return ""
    return done.stdout.strip() if done.returncode == 0 else ""


def version_of(index, own):
    packaged = debian_version(plans.PACKAGES[index]) if index in plans.PACKAGES else ""
    return f"Debian {packaged}" if packaged else own


# Of frames that list pairs, beside those named `frame`: a peer with wrong pairs has none of these rows.
OF_PAIRS = {"first", "p99", "heap"}


class Answers:
    """How many answers there are to each task of a world, and their hash. Brute force says it first where the world is small,
    otherwise the first peer does."""

    def __init__(self, faults):
        self.truths, self.faults = {}, faults

    @staticmethod
    def _of(line):
        return (line["count"], line["hash"]) if line.get("count") else None

    def learn(self, step, lines):
        for line in lines:
            if self._of(line):
                self.truths[step.world, step.agents, line["task"]] = (*self._of(line), "oracle")

    def agreed(self, step, line):
        """How the answer was checked; None if it is not the one of the others."""
        said = self._of(line)
        if said is None:
            return ""
        known = self.truths.setdefault((step.world, step.agents, line["task"]), (*said, "peers"))
        if known[:2] != said:
            self.faults.append(f"{step} gives another answer to {line['task']}: its rows for that are left out")
            return None
        return known[2]

    def rows(self, step, run, lines):
        checks = {line["task"]: (self.agreed(step, line), line.get("count") or "") for line in lines}
        pairs = checks.get("pairs@3", ("", ""))
        about = {"date": today(), "cpu": run["cpu"], "language": "c++", "compiler": run["compiler"], "world": step.world,
                 "agents": step.agents, "peer": plans.NAMES.get(step.index, step.index),
                 "version": version_of(step.index, run["version"]),
                 "settings": "; ".join(part for part in (run["settings"], run["isa"]) if part), "threads": run["threads"]}
        for line in lines:
            checked, count = pairs if line["task"].startswith("frame") or line["task"] in OF_PAIRS else checks[line["task"]]
            if checked is None:
                continue
            for task, value, unit in self._values(step, line):
                yield {**about, "task": task, "value": f"{value:.5g}", "unit": unit, "answers": count, "checked": checked}

    @staticmethod
    def _values(step, line):
        if line["task"] == "memory":
            yield "memory", max(line["bytes_per_agent"], line["heap_per_agent"]), "bytes"
        # Places that were sorted before are asked for in that order.
        coherent = ".coherent" if step.index == "nanoflann" and line["task"] in ("T2r", "knn") else ""
        for task, field, unit in plans.ROWS.get(line["task"], []):
            if unit != "ms" or line[field] > 0:
                yield task + coherent, line[field], unit
