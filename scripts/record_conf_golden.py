#!/usr/bin/env python3
"""Records what the real Hydra makes of conf/, for tests/conf_test.cc.

Needs Python with hydra-core 1.3.2 and PyYAML; the build and the tests do not.
Takes the overrides that tests/golden/conf/overrides.yaml lists, asks Hydra about
each, and writes that file and the four whole configurations beside it anew. To add
a case, add an entry with only `overrides:` and run this script.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden" / "conf"

# Directory and time in the recorded texts.
CWD = "/srv/app"
APP = """
import datetime, sys, hydra, hydra.core.utils
class Frozen(datetime.datetime):
    @classmethod
    def now(cls, tz=None):
        return cls(2024, 3, 5, 14, 7, 9, 123456)
hydra.core.utils.datetime = Frozen
@hydra.main(version_base=None, config_path="conf", config_name="config")
def main(config):
    pass
main()
"""
FULL_ERROR = "\nSet the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.\n"
HEADER = """\
# Recorded from Hydra 1.3.2 with OmegaConf 2.3.0 by scripts/record_conf_golden.py, not
# from this program; working directory /srv/app, time 2024-03-05 14:07:09.123456.
"""
TABLE_HEADER = HEADER + """#
# changes: how the configuration differs from default.yaml, a line per value; error:
# what Hydra answers instead, without the search path.
"""


def ask(directory, *arguments):
    done = subprocess.run([sys.executable, "app.py", "--cfg", "job", *arguments],
                          cwd=directory, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return done.stdout.replace(str(directory), CWD).removesuffix("\n"), None
    error = done.stderr.replace(FULL_ERROR, "").split("\nConfig search path:")[0]
    return None, error.strip()


def lines(value, path=""):
    """One line per value, as tests/conf_test.cc makes them."""
    if isinstance(value, dict) and value:
        for key, child in value.items():
            yield from lines(child, f"{path}.{key}" if path else str(key))
    elif isinstance(value, list) and value:
        for index, child in enumerate(value):
            yield from lines(child, f"{path}[{index}]")
    else:
        yield f"{path}: {value!r}"


def record(directory, overrides, default):
    text, error = ask(directory, *overrides)
    if error is not None:
        return {"overrides": overrides, "error": error}
    before, after = list(lines(default)), list(lines(yaml.safe_load(text)))
    changes = [f"- {line}" for line in before if line not in after]
    changes += [f"+ {line}" for line in after if line not in before]
    return {"overrides": overrides, "changes": changes}


def main():
    cases = yaml.safe_load((GOLDEN / "overrides.yaml").read_text())
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name).resolve()
        shutil.copytree(ROOT / "conf", directory / "conf")
        (directory / "app.py").write_text(APP)
        for file, arguments in {
            "default.yaml": [],
            "default_resolved.yaml": ["--resolve"],
            "demo.yaml": ["+preset=demo"],
            "demo_resolved.yaml": ["--resolve", "+preset=demo"],
        }.items():
            (GOLDEN / file).write_text(HEADER + ask(directory, *arguments)[0] + "\n")
        default = yaml.safe_load((GOLDEN / "default.yaml").read_text())
        recorded = [record(directory, case["overrides"], default) for case in cases]
    table = yaml.safe_dump(recorded, sort_keys=False, allow_unicode=True, width=10000)
    (GOLDEN / "overrides.yaml").write_text(TABLE_HEADER + table)


if __name__ == "__main__":
    main()
