"""Every committed page says what the committed data says."""

from __future__ import annotations

import pytest

from reports.__main__ import main


@pytest.mark.parametrize("verb", ["first-light", "readme", "bars"])
def test_the_committed_page_is_what_the_committed_data_gives(
    verb: str, capsys: pytest.CaptureFixture[str]
) -> None:
    status = main([verb, "--check"])
    assert status == 0, capsys.readouterr().err
