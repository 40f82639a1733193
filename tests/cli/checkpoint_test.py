#!/usr/bin/env python3
"""Runs that are interrupted, killed and resumed end with the same bytes; wrong checkpoints are refused and stay.

CLEAVE_KILLS is how often each of the killed runs is killed (5; the full tests take 50).
"""
import json
import os
import random
import signal
import subprocess
import time

from support import TEMPORARY, Cli, end, main, wait_until

KILLS = int(os.environ.get("CLEAVE_KILLS", "5"))
HALF, WHOLE = 150, 400


class Resume(Cli):
    ALGORITHMS = {
        "kuhn": ("lp",),
        "nim": ("backward-induction",),
        "leduc": (
            "cfr", "cfr(updates=simultaneous)", "cfr+", "lcfr", "dcfr", "dcfr(gamma=3)", "pcfr+",
            f"hs-dcfr(horizon={WHOLE})", f"hs-pcfr+(horizon={WHOLE})", "cfr-br", "xfp", "external-sampling",
            "external-sampling(plus=true,weights=linear)", "chance-sampling", "pure-cfr",
            "xfp(updates=alternating,start=first,ties=last)",
            "fpira", "fpira(cells=least)", "fpira(cells=paper)", "cfr-ira",
        ),
    }  # fmt: skip

    def test_every_algorithm_in_two_parts_and_with_other_threads(self):
        for game, names in self.ALGORITHMS.items():
            for name in names:
                with self.subTest(name):
                    args = ("solve", game, "--seed", "11")
                    checkpoint = ("--checkpoint", f"{name}.ckpt")
                    self.json(*args, "--algorithm", name, "--iterations", str(WHOLE), "--out", "whole.h5")
                    first = self.json(*args, "--algorithm", name, "--iterations", str(HALF), "--threads", "1", *checkpoint)
                    second = self.json(*args, *checkpoint, "--resume", "--iterations", str(WHOLE), "--threads", "2",
                                       "--out", "parts.h5")  # fmt: skip
                    self.assertEqual(self.read("whole.h5"), self.read("parts.h5"))
                    self.assertEqual(second["algorithm"], name)
                    if first["stopped"] != "finished":
                        self.assertEqual((first["iterations"], second["iterations"]), (HALF, WHOLE))
                    # The history goes on too: the same points as without a break.
                    points = [[line.split(",")[-4::2] for line in self.text(f"{part}.history.csv").splitlines()]
                              for part in ("whole", "parts")]  # fmt: skip
                    kept = [point for point in points[1] if point in points[0]]
                    self.assertEqual(kept, points[0])

    def test_resume_continues_and_does_not_start_again(self):
        args = ("solve", "leduc", "--checkpoint", "x")
        self.json(*args, "--iterations", str(HALF))
        # The limit is behind the checkpoint: nothing is left to do, and nothing is undone.
        self.assertEqual(self.json(*args, "--resume", "--iterations", "1")["iterations"], HALF)
        self.assertEqual(self.json(*args, "--resume", "--iterations", str(HALF + 1))["iterations"], HALF + 1)

    def test_resume_without_a_file_starts(self):
        code, out, err = self.run_any("solve", "kuhn", "--checkpoint", "x", "--resume", "--iterations", "9", "--json")
        self.assertEqual((code, json.loads(out)["iterations"]), (0, 9))
        self.assertRegex(err, r"\A[^\n]*no checkpoint at x [^\n]*\n\Z")
        self.assertEqual(self.files(), ["x"])

    def test_checkpoints_leave_nothing_else_behind(self):
        self.json("solve", "leduc", "--iterations", "2000", "--checkpoint", "x", "--checkpoint-every", "0")
        self.assertEqual(self.files(), ["x"])


class Interrupted(Cli):
    LONG = ("solve", "leduc", "--algorithm", "cfr", "--iterations", "60000")  # about a second

    def interrupt(self, with_signal, *args):
        """Sends the signal once solving goes on visibly; (exit code, output)."""
        process, shown = self.start_on_terminal(*args, until=lambda text: " it " in text)
        self.assertIn(" it ", shown)
        process.send_signal(with_signal)
        out, _ = process.communicate(timeout=300)
        return process.returncode, out.decode()

    def test_with_a_checkpoint(self):
        self.json(*self.LONG, "--out", "whole.csv")
        for name in ("SIGINT", "SIGTERM"):
            with self.subTest(name):
                files = ("--checkpoint", f"{name}.ckpt", "--out", f"{name}.csv")
                code, out = self.interrupt(getattr(signal, name), *self.LONG, *files)
                self.assertEqual(code, 0)
                self.assertIn("interrupted", out)
                self.assertIn(f"--checkpoint {name}.ckpt --resume", out)
                self.assert_fits(out)
                self.assertLessEqual({f"{name}.ckpt", f"{name}.csv", f"{name}.history.csv"}, set(self.files()))
                self.assertGreater(self.json("evaluate", "leduc", f"{name}.csv")["exploitability"], 0)
                self.assertNotEqual(self.read(f"{name}.csv"), self.read("whole.csv"))
                resumed = self.json(*self.LONG, *files, "--resume")
                self.assertEqual(resumed["iterations"], 60000)
                self.assertEqual(self.read(f"{name}.csv"), self.read("whole.csv"))

    def test_without_a_checkpoint(self):
        for name in ("SIGINT", "SIGTERM"):
            with self.subTest(name):
                endless = ("solve", "leduc", "--target", "1e-15", "--out", f"{name}.csv")
                code, out = self.interrupt(getattr(signal, name), *endless)
                self.assertEqual(code, 0)
                self.assertIn("interrupted", out)
                self.assertLess(self.json("evaluate", "leduc", f"{name}.csv")["exploitability"], 0.1)
                self.assertIn(f"{name}.history.csv", self.files())

    def test_json(self):
        process = self.start("solve", "leduc", "--target", "1e-15", "--checkpoint", "x", "--json")
        wait_until(lambda: "x" in self.files(), "the first checkpoint")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=300)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertEqual(json.loads(out)["stopped"], "interrupted")

    def test_while_compiling(self):
        process, shown = self.start_on_terminal("solve", "goofspiel(cards=6,prizes=random,reveal=true)",
                                                "--out", "x.csv", until=lambda text: "compiling" in text)  # fmt: skip
        self.assertIn("compiling", shown)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
        self.assertEqual((process.returncode, out, self.files()), (1, b"", []))


class Killed(Cli):
    """Kill -9 at random moments of runs that write checkpoints all the time."""

    def kill_again_and_again(self, *args):
        solve = ("solve", *args, "--checkpoint-every", "0", "--quiet")
        started = time.monotonic()
        self.cleave(*solve, "--checkpoint", "whole.ckpt", "--out", "whole.csv")
        duration = time.monotonic() - started
        whole = self.read("whole.csv")
        moments = random.Random(50)
        kills = unseen = left_behind = 0
        for attempt in range(1, 10 * KILLS + 1):
            checkpoint, out = f"{attempt}.ckpt", f"{attempt}.csv"
            files = ("--checkpoint", checkpoint, "--out", out)
            process = self.start(*solve, *files, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, duration))
            process.kill()
            end(process)
            if process.returncode == 0:
                continue  # it was done before
            self.assertEqual(process.returncode, -signal.SIGKILL)
            kills += 1
            left_behind += sum(bool(TEMPORARY.fullmatch(name)) for name in self.files())
            unseen += checkpoint not in self.files()
            if out in self.files():  # written as a whole, or not at all
                self.assertEqual(self.read(out), whole)
            code, _, err = self.run_any(*solve, *files, "--resume")
            self.assertEqual(code, 0, f"kill {kills}: {err}")
            self.assertEqual(self.read(out), whole, f"kill {kills}")
            for name in self.files():
                if not name.startswith("whole"):
                    os.remove(self.path(name))
            if kills == KILLS:
                break
        self.assertEqual(kills, KILLS, "the runs end before they are killed: let them take longer")
        print(f"[{kills} kills within {duration:.2f} s: {unseen} before the first checkpoint, "
              f"{left_behind} temporary files left behind, {kills} resumed to the same bytes] ", end="", flush=True)  # fmt: skip

    def test_cfr_plus(self):
        self.kill_again_and_again("leduc", "--algorithm", "cfr+", "--iterations", "4000")

    def test_sampling(self):
        self.kill_again_and_again("leduc", "--algorithm", "external-sampling", "--iterations", "30000", "--seed", "4")

    def test_fpira(self):
        self.kill_again_and_again("leduc", "--algorithm", "fpira", "--iterations", "2000", "--seed", "4")

    def test_cfr_ira(self):
        self.kill_again_and_again("leduc", "--algorithm", "cfr-ira", "--iterations", "2000", "--seed", "4")


class Refused(Cli):
    def setUp(self):
        super().setUp()
        self.cleave("solve", "leduc", "--algorithm", "cfr+", "--iterations", "20", "--checkpoint", "good")
        self.good = self.read("good")

    def refuse(self, content, says, *more, game="leduc"):
        """Refused, and everything in the folder is as before."""
        self.put("x", content)
        before = self.files()
        self.refused("solve", game, "--iterations", "50", "--checkpoint", "x", "--resume", "--out", "x.csv", *more,
                     says=says)  # fmt: skip
        self.assertEqual(self.read("x"), content)
        self.assertEqual(self.files(), before)

    def test_the_good_one_is_good(self):
        self.cleave("solve", "leduc", "--iterations", "50", "--checkpoint", "good", "--resume", "--algorithm", "cfr+")

    def test_truncated(self):
        size = len(self.good)
        for length in (0, 1, 16, 17, 100, 511, 512, 513, size // 2, size - 8, size - 1):
            with self.subTest(length):
                self.refuse(self.good[:length], r"x: ")

    def test_corrupted(self):
        size = len(self.good)
        for position in (0, 20, 45, 70, 100, 511, 512, 600, size // 3, size // 2, size - 1):
            with self.subTest(position):
                damaged = bytearray(self.good)
                damaged[position] ^= 4
                self.refuse(bytes(damaged), r"x: ")
        self.refuse(self.good + b"\0", r"x: ")
        self.refuse(self.good[:512] + self.good, r"x: ")

    def test_foreign(self):
        self.refuse(b"some text\n", r"x: not an archive")
        self.refuse(b"\x89HDF\r\n\x1a\n" + bytes(600), r"x: not an archive")
        self.cleave("solve", "leduc", "--iterations", "9", "--out", "s.h5")
        self.refuse(self.read("s.h5"), r"x: not a checkpoint")
        self.cleave("plot", "s.history.csv", "--out", "s.png")
        self.refuse(self.read("s.png"), r"x: not an archive")

    def test_of_another_game(self):
        self.refuse(self.good, r"x: .*leduc.*kuhn", game="kuhn")
        self.refuse(self.good, r"x: .*leduc", game="leduc(ante=2)")
        self.cleave("export", "rps", "--efg", "a.efg")
        self.put("b.efg", self.text("a.efg").replace("{ 1, -1 }", "{ 2, -2 }"))
        self.cleave("solve", "a.efg", "--iterations", "5", "--checkpoint", "a")
        self.refuse(self.read("a"), r"x: .*b\.efg", game="b.efg")

    def test_of_another_algorithm(self):
        self.refuse(self.good, [r"x: .*cfr\+", "dcfr"], "--algorithm", "dcfr")
        self.refuse(self.good, [r"x: .*cfr\+", "average=2"], "--algorithm", "cfr+(average=2)")

    def test_of_another_seed(self):
        self.refuse(self.good, r"x: .*seed 1\b.*\b2", "--seed", "2")

    def test_without_resume(self):
        self.refused("solve", "leduc", "--iterations", "50", "--checkpoint", "good", "--out", "x.csv",
                     says="good.*already there.*--resume")  # fmt: skip
        self.assertEqual(self.read("good"), self.good)
        self.assertEqual(self.files(), ["good"])

    def test_without_checkpoint(self):
        self.refused("solve", "leduc", "--resume", says="--resume.*--checkpoint")

    def test_a_folder(self):
        os.mkdir(self.path("folder"))
        self.refused("solve", "leduc", "--checkpoint", "folder", "--resume", says="folder")


if __name__ == "__main__":
    main()
