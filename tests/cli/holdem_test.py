"""Whole games of hold'em at the command line: buckets, and targets that are killed and go on."""

import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from support import CLEAVE, Cli


class Buckets(Cli):
    def test_kinds_are_listed(self):
        out = self.cleave("buckets")
        for kind in ("emd", "potential", "strength", "ochs", "random", "perfect-recall"):
            self.assertIn(kind, out)
        self.assertLessEqual(max(len(line) for line in out.splitlines()), 100)

    def test_made_once_and_found_again(self):
        spec = "strength(street=flop,buckets=20)"
        first = self.json("buckets", spec, "--folder", "kept")
        self.assertEqual((first["classes"], first["buckets"]), (1286792, 20))
        kept = list(pathlib.Path(self.folder, "kept").glob("*.buckets"))
        self.assertEqual(len(kept), 1)
        stamp = kept[0].stat().st_mtime_ns
        again = self.json("buckets", spec, "--folder", "kept")
        self.assertEqual(kept[0].stat().st_mtime_ns, stamp)
        self.assertEqual([first[k] for k in ("smallest", "largest")], [again[k] for k in ("smallest", "largest")])

    def test_errors_name_what_is_allowed(self):
        code, _, err = self.run_any("buckets", "emd(street=fourth)")
        self.assertEqual(code, 2)
        self.assertIn("flop", err)


class Killed(Cli):
    """A run that is killed again and again ends with the same numbers as one that is not."""

    def command(self, work):
        return [CLEAVE, "reproduce", "bs-fig9", "--quick", "--flops", "3", "--quiet", "--work", work, "--out", work]

    def finished(self, folder):
        """Flops in the file of results: records are equally long."""
        sizes = [file.stat().st_size for file in folder.glob("*.subgames")]
        record = 24 + 4 * 2 * 17 * 4 * 169  # head; heroes, ways, lines, hands
        return max(sizes, default=0) // record

    def kill(self, root, condition, patience):
        run = subprocess.Popen(self.command("killed"), cwd=root, stdout=subprocess.DEVNULL)
        try:
            for _ in range(patience * 10):
                time.sleep(0.1)
                if patience > 2 and condition() or run.poll() is not None:
                    break
        finally:
            run.send_signal(signal.SIGKILL)
            run.wait()

    def test_goes_on(self):
        root = pathlib.Path(self.folder)
        # With so few flops the criteria may be missed: that is exit code 1.
        whole = subprocess.run(self.command("whole"), cwd=root, capture_output=True, text=True)
        self.assertIn(whole.returncode, (0, 1), whole.stderr)
        (root / "killed").mkdir()
        for file in (root / "whole").glob("*.buckets"):
            shutil.copy(file, root / "killed")
        # Once while the blueprint is being solved, then after each flop that is finished.
        self.kill(root, lambda: True, 2)
        for done in (1, 2):
            self.kill(root, lambda: self.finished(root / "killed") >= done, 120)
            self.assertGreaterEqual(self.finished(root / "killed"), done)
        last = subprocess.run(self.command("killed"), cwd=root, capture_output=True, text=True)
        self.assertEqual(last.returncode, whole.returncode, last.stderr)
        self.assertEqual((root / "killed/scales.csv").read_text(), (root / "whole/scales.csv").read_text())


if __name__ == "__main__":
    unittest.main()
