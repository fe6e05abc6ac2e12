#!/usr/bin/env python3
"""Prints the size and shape of the source tree, to compare two commits.

    scripts/house.py                 this checkout
    scripts/house.py --build DIR     also compile steps and program sizes of a build directory
    scripts/house.py --baseline REV  two columns: REV (read from git) and this checkout

Every figure comes from the files themselves; nothing is compiled or run.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
TEST_SUFFIXES = ("_test.cc", "_bench.cc")


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], check=True,
                          capture_output=True).stdout


def files_of_checkout():
    """Paths and texts of the C++ files below src/, tracked or new."""
    listed = git("ls-files", "--cached", "--others", "--exclude-standard", "src").decode()
    paths = sorted({p for p in listed.splitlines() if p.endswith((".h", ".cc"))})
    return {p: (ROOT / p).read_text() for p in paths if (ROOT / p).exists()}


def files_of_revision(revision):
    listed = git("ls-tree", "-r", "--name-only", revision, "src").decode().splitlines()
    return {p: git("show", f"{revision}:{p}").decode() for p in listed
            if p.endswith((".h", ".cc"))}


def is_test(path):
    return path.endswith(TEST_SUFFIXES) or "/testing/" in path


def one_user_headers(files):
    """Headers that one file includes, not counting their own source and tests."""
    users = collections.defaultdict(set)
    for path, text in files.items():
        if is_test(path):
            continue
        for included in INCLUDE.findall(text):
            if pathlib.PurePath("src", included).with_suffix("") != \
                    pathlib.PurePath(path).with_suffix(""):
                users["src/" + included].add(path)
    return sum(1 for p in files if p.endswith(".h") and not is_test(p) and len(users[p]) == 1)


def parsers_of_metrics(files):
    """Product files that parse JSON with a list of samples; reports have a number of them."""
    return sum(1 for p, t in files.items() if not is_test(p) and p.endswith(".cc") and
               '"samples"' in t and '>(row, "samples")' not in t and
               re.search(r"\bParseJson\b|[Jj]son::parse\(", t))


def measure(files):
    product = {p: t for p, t in files.items() if not is_test(p)}
    tests = {p: t for p, t in files.items() if is_test(p)}
    named = [p for p, t in product.items()
             if re.search("deepseek", t, re.IGNORECASE) and "/deepseek_ocr/" not in p]
    sources = [t for p, t in product.items() if p.endswith(".cc")]
    comments = sum(1 for t in sources for line in t.splitlines()
                   if line.lstrip().startswith("//"))
    source_lines = sum(t.count("\n") for t in sources)
    return {
        "modules (folders of src/)": len({p.split("/")[1] for p in files}),
        "product lines": sum(t.count("\n") for t in product.values()),
        "test lines beside the code": sum(t.count("\n") for t in tests.values()),
        "product files": len(product),
        "headers": sum(p.endswith(".h") for p in product),
        "headers with one user": one_user_headers(files),
        "comment lines in sources, %": round(100 * comments / source_lines, 1),
        "files that name DeepSeek outside its folder": len(named),
        "parsers of the model's metrics.json": parsers_of_metrics(files),
    }


def measure_build(directory):
    """Compile steps and program sizes of a build directory."""
    commands = (directory / "compile_commands.json").read_text()
    rows = {"compile steps": commands.count('"file":')}
    for name in ("ridgeline", "ridgeline-model", "ridgeline-serve"):
        program = directory / "src/app" / name
        if program.exists():
            rows[f"size of {name}, MB"] = round(program.stat().st_size / 1e6, 1)
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--baseline", metavar="REV", help="a commit to compare with")
    parser.add_argument("--build", metavar="DIR", type=pathlib.Path, help="a build directory")
    options = parser.parse_args()
    rows = measure(files_of_checkout())
    if options.build:
        rows |= measure_build(options.build)
    before = measure(files_of_revision(options.baseline)) if options.baseline else {}
    for name, value in rows.items():
        if options.baseline:
            print(f"{name:<46}{before.get(name, ''):>10}{value:>10}")
        else:
            print(f"{name:<46}{value:>10}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
