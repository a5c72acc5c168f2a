"""Tests that `--keep` refuses a folder that has a ledger."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.soak.__main__ import main


def test_a_folder_with_something_in_it_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bourse.db").touch()
    monkeypatch.setattr("sys.argv", ["soak", "--keep", str(tmp_path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert (
        capsys.readouterr()
        .err.splitlines()[-1]
        .endswith("what works is a folder that is empty or not there yet")
    )
