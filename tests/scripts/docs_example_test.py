#!/usr/bin/env python3
"""The code in docs/extending.md is the code of examples/extend, which another test runs."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
text = (root / "docs/extending.md").read_text()
shown = dict(re.findall(r"^`(examples/extend/[^`]+)`\n\n```\w+\n(.*?)^```$", text, re.M | re.S))
files = {str(p.relative_to(root)): p.read_text() for p in (root / "examples/extend").iterdir()}
if shown != files:
    wrong = [name for name in sorted(files | shown) if files.get(name) != shown.get(name)]
    sys.exit(f"docs/extending.md differs from the example in {', '.join(wrong)}")
print(f"{len(files)} files agree")
