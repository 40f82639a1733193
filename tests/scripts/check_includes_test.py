"""scripts/check_includes catches what it must and accepts the rest."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_includes"
ROOMS = "## Rooms\n```rooms\ncore     ids\nkernels  SIMD\ngames/   rules\n```\n"
GOOD = {
    "docs/architecture.md": ROOMS,
    "src/core/ids.h": "#include <vector>\n",
    "src/kernels/dot.h": '#include "core/ids.h"\n',
    "src/games/game.h": '#include "core/ids.h"\n#include "kernels/dot.h"\n',
    "src/games/kuhn.cpp": '#include "games/game.h"\n#include "game.h"\n',
    "apps/cli/main.cpp": '#include "commands.h"\n#include "games/game.h"\n',
    "apps/cli/commands.h": "",
}


class CheckIncludes(unittest.TestCase):
    def run_on(self, changes):
        with tempfile.TemporaryDirectory(prefix="check includes ") as folder:
            for name, text in {**GOOD, **changes}.items():
                if text is None:
                    continue
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, str(SCRIPT), folder], capture_output=True, text=True)
            return done.returncode, done.stdout + done.stderr

    def refused(self, changes, *words):
        code, output = self.run_on(changes)
        self.assertEqual(code, 1, output)
        for word in words:
            self.assertIn(word, output)

    def test_accepts_upward_includes(self):
        code, output = self.run_on({})
        self.assertEqual(code, 0, output)

    def test_refuses_downward_include(self):
        self.refused({"src/core/ids.h": '\n#include "games/game.h"\n'}, "src/core/ids.h:2", "below")
        self.refused({"src/kernels/dot.h": "#  include <games/game.h>\n"}, "src/kernels/dot.h:1")
        self.refused({"src/kernels/dot.h": '#include "../games/game.h"\n'}, "src/kernels/dot.h:1")

    def test_refuses_app_in_library(self):
        self.refused({"src/games/kuhn.cpp": '#include "apps/cli/commands.h"\n'}, "must not include apps")
        self.refused({"src/games/kuhn.cpp": '#include "../../apps/cli/commands.h"\n'}, "must not include apps")

    def test_refuses_folder_without_a_line(self):
        self.refused({"src/cellar/rat.h": ""}, "src/cellar is not in the rooms")

    def test_refuses_include_of_nothing(self):
        self.refused({"src/games/kuhn.cpp": '#include "games/gone.h"\n'}, "games/gone.h is no file")

    def test_refuses_missing_list(self):
        self.refused({"docs/architecture.md": None}, "architecture.md is missing")
        self.refused({"docs/architecture.md": "# Rooms\n"}, "no fenced")


if __name__ == "__main__":
    unittest.main()
