"""The README's examples are executed: one entry, one method; one module, one name."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = re.compile(r"<!-- example: (\S+?)(?:, in (\w+))? -->\n```python\n(.*?)```", re.S)


def insert(text: str, container: str, addition: str) -> str:
    """Put lines at the end of a tuple, dict or class that begins at the left margin."""
    begin = re.search(rf"^(?:class )?{container}\b.*$", text, re.M)
    assert begin, f"the README speaks of {container}, which is not there"
    margin = re.compile(r"^[^\s]", re.M).search(text, begin.end() + 1)
    end = margin.start() if margin else len(text)
    gap = "\n" if begin.group().startswith("class ") else ""
    return text[:end].rstrip() + "\n" + gap + addition + gap * 2 + text[end:]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the harness with every example of the README put where the README says."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copytree(
        ROOT / "benchmarks", tree / "benchmarks", ignore=shutil.ignore_patterns("__pycache__")
    )
    # The ruler stays the working tree's: only the harness is a copy.
    for name in ("build", "fastpaths"):
        (tree / name).symlink_to(ROOT / name)
    examples = EXAMPLE.findall((ROOT / "README.md").read_text())
    assert len(examples) == 4
    for path, container, addition in examples:
        target = tree / path
        if container:
            target.write_text(insert(target.read_text(), container, addition))
        else:
            target.write_text(addition)
    return tree


def survey(tree: Path, library: str) -> dict[str, dict[str, str]]:
    command = [sys.executable, "-m", "benchmarks.survey", library]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=True)
    return {cell["operation"]: cell for cell in json.loads(done.stdout.splitlines()[-1])["cells"]}


@pytest.mark.parametrize("library", ["fastpaths", "cuda.core"])
def test_the_new_operation_is_measured(tree: Path, library: str) -> None:
    assert survey(tree, library)["device.name"]["status"] == "expected"


def test_a_library_without_it_says_so(tree: Path) -> None:
    cell = survey(tree, "floor")["device.name"]
    assert (cell["status"], bool(cell["reason"])) == ("unsupported", True)


def test_the_new_library_is_measured(tree: Path) -> None:
    found = survey(tree, "nothing")
    assert found["device.current"]["status"] == "expected"
    assert found["event.create"]["reason"] == "nothing has no such operation"


def test_asv_gets_a_suite_of_the_new_operation(tree: Path) -> None:
    code = "from benchmarks import device; print(device.Name.time_name.__doc__, device.Name.params)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tree, capture_output=True, text=True, check=True
    )
    assert "the name of a device" in done.stdout
    assert "nothing" in done.stdout
