import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[3] / "docs" / "python.md"


@pytest.mark.skipif(not PAGE.is_file(), reason="the documentation is not here")
def test_the_examples_of_the_documentation_run(tmp_path, monkeypatch):
    pytest.importorskip("pettingzoo")
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    examples = list(re.finditer(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE))
    assert len(examples) >= 6
    names = {"__name__": "example"}
    for example in examples:
        line = text[: example.start(1)].count("\n")
        exec(compile("\n" * line + example.group(1), str(PAGE), "exec"), names)
