import subprocess
import sys
import zipfile

import pytest

from benchmarks.instruments import builds, revisions
from benchmarks.instruments.side import InstrumentError

MESON = """\
project('fastpaths', 'c', meson_version: '>=1.5')
py = import('python').find_installation(pure: false)
py.install_sources(['fastpaths/__init__.py'], subdir: 'fastpaths')
"""
PYPROJECT = """\
[build-system]
build-backend = "mesonpy"
requires = ["meson-python"]
[project]
name = "fastpaths"
version = "1.0"
"""


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """Make a repository with a small fastpaths, and let the builds be of it."""
    root = tmp_path / "repository"
    (root / "fastpaths").mkdir(parents=True)
    (root / "fastpaths" / "__init__.py").write_text("value = 1\n")
    (root / "meson.build").write_text(MESON)
    (root / "pyproject.toml").write_text(PYPROJECT)
    git(root, "init", "-q", "-b", "main")
    commit(root, "first")
    monkeypatch.setattr(builds, "ROOT", root)
    monkeypatch.setattr(builds, "SIDES", root / "build" / "sides")
    (root / ".git" / "info" / "exclude").write_text("build/\n")
    return root


def git(root, *arguments):
    identity = ["-c", "user.name=A Tester", "-c", "user.email=tester@example.com"]
    subprocess.run(["git", "-C", str(root), *identity, *arguments], check=True)


def commit(root, message):
    git(root, "add", "--all")
    git(root, "commit", "-q", "-m", message)


def value(side):
    """Return what the fastpaths of a side says in an interpreter that searches it first."""
    return (builds.Path(side.pythonpath) / "fastpaths" / "__init__.py").read_text()


def test_two_revisions_are_two_builds_and_a_change_elsewhere_is_none(repository):
    (repository / "README.md").write_text("Words.\n")
    commit(repository, "words")
    (repository / "fastpaths" / "__init__.py").write_text("value = 2\n")
    commit(repository, "code")
    old, words, new = (builds.named_side(f"fastpaths@{r}") for r in ("HEAD~2", "HEAD~1", "HEAD"))
    assert (value(old), value(new)) == ("value = 1\n", "value = 2\n")
    assert words.pythonpath == old.pythonpath
    assert (old.label, old.origin) == ("fastpaths@HEAD~2", "revision HEAD~2")
    assert len(old.pythonpath) == len(new.pythonpath)
    assert sorted(p.name for p in builds.SIDES.iterdir()) == sorted(
        {builds.Path(side.pythonpath).name for side in (old, new)}
    )


def test_the_working_tree_is_a_side_new_files_included(repository):
    (repository / "fastpaths" / "__init__.py").write_text("value = 3\n")
    before = revisions.tree_of(repository, "worktree")
    (repository / "fastpaths" / "new.py").write_text("")
    assert revisions.tree_of(repository, "worktree") != before
    assert value(builds.named_side("fastpaths@worktree")) == "value = 3\n"
    status = subprocess.check_output(["git", "-C", str(repository), "status", "--porcelain"])
    assert status.decode().splitlines() == [" M fastpaths/__init__.py", "?? fastpaths/new.py"]


def test_a_revision_that_does_not_build_names_its_log_and_leaves_no_side(repository):
    (repository / "meson.build").write_text("project('fastpaths', 'c')\nerror('no such luck')\n")
    commit(repository, "broken")
    with pytest.raises(InstrumentError, match=r"fastpaths at HEAD cannot be built: .*failed\.log"):
        builds.build_side("HEAD")
    assert "no such luck" in (builds.SIDES / "failed.log").read_text()
    assert [p.name for p in builds.SIDES.iterdir()] == ["failed.log"]


def test_unknown_revisions_say_what_to_do(repository, tmp_path):
    with pytest.raises(InstrumentError, match="unknown revision 'nowhere': `git fetch` it"):
        builds.build_side("nowhere")
    commit_file = repository / "more"
    commit_file.write_text("")
    commit(repository, "second")
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{repository}", shallow], check=True)
    with pytest.raises(InstrumentError, match="git fetch --unshallow"):
        revisions.source_ids(shallow, "HEAD~1")


def test_a_revision_from_before_fastpaths_is_told_apart(repository):
    git(repository, "rm", "-rq", "fastpaths")
    commit(repository, "nothing left")
    with pytest.raises(InstrumentError, match="has no fastpaths"):
        builds.build_side("HEAD")


def test_a_wheel_is_unpacked_once(repository, tmp_path):
    wheel = tmp_path / "fastpaths-9-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("fastpaths/__init__.py", "value = 9\n")
    side = builds.named_side(f"fastpaths@{wheel}", sys.executable)
    assert (value(side), side.label) == ("value = 9\n", wheel.name)
    assert builds.named_side(f"fastpaths@{wheel}").pythonpath == side.pythonpath
    wheel.write_bytes(b"no archive")
    with pytest.raises(InstrumentError, match="is no wheel"):
        builds.unpack(wheel)


def test_only_fastpaths_is_built_here():
    with pytest.raises(InstrumentError, match="only fastpaths is built from revisions"):
        builds.named_side("cuda.core@main")
    assert builds.named_side("cuda.core").origin == "installed"
