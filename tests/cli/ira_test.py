#!/usr/bin/env python3
"""Solvers that work in an abstraction of the game: what they write, say and measure, and how it is read again."""
import csv
import json
import os
import signal
import subprocess
import sys

from support import INDEPENDENT, PATIENCE, Cli, main

CHECKER = os.path.join(INDEPENDENT, "check_strategy.py")
FPIRA = ("fpira", "fpira(cells=least)", "fpira(cells=paper)")
ALGORITHMS = (*FPIRA, "cfr-ira")
GAMES = ("kuhn", "leduc", "random(depth=6,branching=3,observations=2,seed=5)")
KEYS = {"cells", "first_cells", "most_cells", "largest_response", "strategy_bytes", "partition_bytes", "response_bytes"}
TOLERANCE = 1e-9


class Ira(Cli):
    def solve(self, game, name, out, *more, iterations=60):
        return self.json("solve", game, "--algorithm", name, "--iterations", str(iterations), "--seed", "3", "--out", out, *more)

    def rows(self, name):
        return list(csv.DictReader(self.text(name).splitlines()))

    def strategy(self, name):
        """(player, information set) -> probabilities in the order of the file"""
        sets = {}
        for row in self.rows(name):
            sets.setdefault((row["player"], row["infoset"]), []).append(row["probability"])
        return sets

    def assert_same_result(self, ours, theirs):
        for key in ("value", "exploitability"):
            self.assertAlmostEqual(ours[key], theirs[key], delta=TOLERANCE)
        for one, other in zip(ours["best_response"], theirs["best_response"]):
            self.assertAlmostEqual(one, other, delta=TOLERANCE)


class Files(Ira):
    def test_every_way_to_read_a_strategy_agrees(self):
        for game in GAMES:
            self.cleave("export", game, "--efg", "x.efg")
            for name in ALGORITHMS:
                with self.subTest(game=game, name=name):
                    solved = self.solve(game, name, "x.csv")
                    self.assertEqual(self.solve(game, name, "x.h5")["exploitability"], solved["exploitability"])
                    self.assertGreater(solved["exploitability"], 0)
                    for file in ("x.csv", "x.h5"):
                        self.assert_same_result(self.json("evaluate", game, file), solved)
                    done = subprocess.run([sys.executable, CHECKER, "x.efg", "x.csv"], cwd=self.folder, capture_output=True,
                                          text=True, timeout=PATIENCE, check=False)  # fmt: skip
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assert_same_result(json.loads(done.stdout), solved)

    def test_cells(self):
        for game in GAMES:
            for name in ALGORITHMS:
                with self.subTest(game=game, name=name):
                    solved = self.solve(game, name, "x.csv")
                    self.assertEqual(self.text("x.cells.csv").splitlines()[0], "player,infoset,cell")
                    strategy, cells = self.strategy("x.csv"), self.rows("x.cells.csv")
                    self.assertEqual([(row["player"], row["infoset"]) for row in cells], list(strategy))
                    self.assertEqual(len(strategy), solved["infosets"])
                    plays = {}  # cell -> player and probabilities, to the last digit
                    for row in cells:
                        here = row["player"], *strategy[row["player"], row["infoset"]]
                        self.assertEqual(plays.setdefault(row["cell"], here), here)
                    self.assertEqual(sorted(map(int, plays)), list(range(solved["abstraction"]["cells"])))

    def test_export_expands(self):
        for name in ALGORITHMS:
            with self.subTest(name):
                self.solve("leduc", name, "x.csv")
                self.solve("leduc", name, "x.h5")
                self.cleave("export", "leduc", "--strategy", "x.h5", "--out", "y.csv", "--efg", "y.efg")
                self.assertEqual(self.read("y.csv"), self.read("x.csv"))
                self.assertTrue(self.text("y.efg").startswith("EFG 2 R "))
                # From either form to the archive of the whole strategy, and back.
                self.cleave("export", "leduc", "--strategy", "x.csv", "--out", "a.h5")
                self.cleave("export", "leduc", "--strategy", "x.h5", "--out", "b.h5")
                self.assertEqual(self.read("a.h5"), self.read("b.h5"))
                self.assertLess(len(self.read("x.h5")), len(self.read("a.h5")))
                self.cleave("export", "leduc", "--strategy", "a.h5", "--out", "z.csv")
                self.assertEqual(self.read("z.csv"), self.read("x.csv"))
        self.assertNotIn("y.cells.csv", self.files())

    def test_a_strategy_like_any_other(self):
        self.solve("leduc", "cfr-ira", "x.h5")
        shown = self.cleave("evaluate", "leduc", "x.h5", "--show", "8")
        self.assert_fits(shown)
        self.cleave("export", "leduc", "--strategy", "x.h5", "--out", "whole.csv")
        resolve = ("--cut", "round:1", "--iterations", "20", "--method", "resolve", "--out")
        for file, out in (("x.h5", "a.csv"), ("whole.csv", "b.csv")):
            self.json("resolve", "leduc", file, *resolve, out)
        self.assertEqual(self.read("a.csv"), self.read("b.csv"))
        self.assertNotEqual(self.read("a.csv"), self.read("whole.csv"))

    def test_threads_and_runs_give_the_same_bytes(self):
        for name in ALGORITHMS:
            with self.subTest(name):
                found = set()
                for threads in ("1", "2", "2"):
                    self.solve("leduc", name, "x.csv", "--threads", threads)
                    self.solve("leduc", name, "x.h5", "--threads", threads)
                    found.add((self.read("x.csv"), self.read("x.cells.csv"), self.read("x.h5")))
                self.assertEqual(len(found), 1)


class Output(Ira):
    def test_json(self):
        for game in GAMES:
            for name in ALGORITHMS:
                with self.subTest(game=game, name=name):
                    result = self.json("solve", game, "--algorithm", name, "--iterations", "60")
                    found = result["abstraction"]
                    self.assertEqual(found.keys(), KEYS)
                    self.assertLessEqual(1, found["first_cells"])
                    self.assertLessEqual(found["cells"], found["most_cells"])
                    self.assertLessEqual(found["first_cells"], found["most_cells"])
                    self.assertLessEqual(found["most_cells"], result["infosets"])
                    self.assertLessEqual(found["largest_response"], result["infosets"])
                    for key in ("strategy_bytes", "partition_bytes"):
                        self.assertGreater(found[key], 0)
                    self.assertGreater(result["peak_memory_bytes"], result["memory_bytes"])
                    self.assertLess(result["peak_memory_bytes"], 1 << 30)
        for name in FPIRA:
            with self.subTest(name):
                found = self.solve("leduc", name, "x.csv")["abstraction"]
                self.assertEqual(found["file"], "x.cells.csv")
                self.assertGreater(found["largest_response"], 0)
                self.assertGreater(found["response_bytes"], 0)
                self.assertNotIn("file", self.solve("leduc", name, "x.h5")["abstraction"])

    def test_solvers_of_the_whole_game(self):
        result = self.json("solve", "leduc", "--iterations", "10", "--out", "x.csv")
        self.assertNotIn("abstraction", result)
        self.assertGreater(result["peak_memory_bytes"], result["memory_bytes"])
        self.assertEqual(self.files(), ["x.csv", "x.history.csv"])

    def test_text(self):
        for name in ALGORITHMS:
            with self.subTest(name):
                args = ("solve", "leduc", "--algorithm", name, "--iterations", "60")
                out = self.cleave(*args, "--out", "x.csv")
                self.assert_fits(out)
                found = self.json(*args)["abstraction"]
                self.assertRegex(out, rf"(?m)^abstraction     {found['cells']:,} cells for 936 information sets "
                                 rf"\([\d.]+%\), {found['first_cells']:,} cells at the start$")  # fmt: skip
                size = r"[\d.]+ (B|KiB|MiB)"
                self.assertRegex(out, rf"(?m)^memory          strategy {size}, partition {size}, best response {size}$")
                self.assertRegex(out, rf"(?m)^                {size} at the peak")
                self.assertIn("x.cells.csv\n", out)

    def test_progress_and_interrupts(self):
        """Ctrl-C saves everything; what is resumed ends as if nothing had been."""
        iterations = 40000  # about a second
        for name in ("fpira", "cfr-ira"):
            with self.subTest(name):
                args = ("solve", "leduc", "--algorithm", name, "--iterations", str(iterations))
                self.json(*args, "--out", "whole.csv")
                files = ("--checkpoint", "x.ckpt", "--out", "x.csv")
                process, shown = self.start_on_terminal(*args, *files, until=lambda text: " it " in text)
                self.assertRegex(shown, r" it  exploitability [^ ]+  [\d,]+ cells  ")
                process.send_signal(signal.SIGINT)
                out = process.communicate(timeout=PATIENCE)[0].decode()
                self.assertEqual(process.returncode, 0)
                self.assertIn("--checkpoint x.ckpt --resume", out)
                self.assertEqual(len(self.rows("x.cells.csv")), 936)
                self.assertGreater(self.json("evaluate", "leduc", "x.csv")["exploitability"], 0)
                resumed = self.json(*args, *files, "--resume")
                self.assertEqual(resumed["iterations"], iterations)
                for end in ("csv", "cells.csv"):
                    self.assertEqual(self.read(f"x.{end}"), self.read(f"whole.{end}"))
                os.remove(self.path("x.ckpt"))


class WrongUse(Ira):
    def test_export(self):
        self.refused("export", "kuhn", says=["--efg FILE", "--strategy FILE and --out FILE"])
        self.refused("export", "kuhn", "--strategy", "x.h5", says=r"--strategy x\.h5 needs --out FILE")
        self.refused("export", "kuhn", "--out", "x.csv", says=r"--out x\.csv needs --strategy FILE")
        self.refused("export", "kuhn", "--efg", "x.efg", "--out", "x.csv", says="--strategy FILE")
        self.refused("export", "kuhn", "--strategy", "x.h5", "--out", "y.txt", says=r"y\.txt.*\.csv.*\.h5")
        self.refused("export", "kuhn", "--strategy", "x.h5", "--out", "no/y.csv", says="no/y.csv.*folder no")
        self.refused("export", "kuhn", "--strategy", "x.h5", "--out", "y.csv", says=r"x\.h5.*No such file")
        self.refused("export", "kuhn", "--strategy", "x.csv", "--out", "y.csv", "--efg", "y.csv", says="--efg and --out")
        self.assertEqual(self.files(), [])

    def test_places(self):
        """Before the run, not after it."""
        os.mkdir(self.path("x.cells.csv"))
        for name in ALGORITHMS:
            solve = ("solve", "kuhn", "--algorithm", name, "--iterations", "1000000000", "--out")
            self.refused(*solve, "x.csv", says=r"x\.cells\.csv.*folder")
            self.refused(*solve, "y.csv", "--history", "y.cells.csv", says=r"y\.cells\.csv.*--out y\.csv and --history")
            self.refused(*solve, "y.csv", "--checkpoint", "y.cells.csv", says=r"y\.cells\.csv.*--checkpoint")
        self.assertEqual(self.files(), ["x.cells.csv"])
        self.cleave("solve", "kuhn", "--iterations", "3", "--out", "x.csv")  # no cells, no trouble

    def test_strategies(self):
        self.solve("leduc", "fpira", "x.h5")
        good = self.read("x.h5")
        for command in (("evaluate", "kuhn", "x.h5"), ("export", "kuhn", "--strategy", "x.h5", "--out", "y.csv")):
            self.refused(*command, says=r"x\.h5: the strategy is for 'leduc', not for this game \('kuhn'\)")
        self.refused("evaluate", "leduc(ante=2)", "x.h5", says=r"x\.h5: the strategy is for 'leduc'")
        damaged = bytearray(good)
        damaged[len(good) // 2] ^= 1
        self.put("x.h5", bytes(damaged))
        for command in (("evaluate", "leduc", "x.h5"), ("export", "leduc", "--strategy", "x.h5", "--out", "y.csv")):
            self.refused(*command, says=r"x\.h5: .*checksum")
        self.put("x.h5", good[: len(good) // 2])
        self.refused("evaluate", "leduc", "x.h5", says=r"x\.h5: ")
        self.solve("leduc", "fpira", "x.csv", "--checkpoint", "x.ckpt")
        os.rename(self.path("x.ckpt"), self.path("ckpt.h5"))
        self.refused("evaluate", "leduc", "ckpt.h5", says=r"ckpt\.h5: .*'format'")
        self.refused("evaluate", "leduc", "x.cells.csv", says=r"x\.cells\.csv:1: .*player,infoset,action,probability")
        self.assertNotIn("y.csv", self.files())

    def test_parameters(self):
        self.refused("solve", "kuhn", "--algorithm", "fpira(cells=most)", says=["cells", "merge", "least", "paper"])
        self.refused("solve", "kuhn", "--algorithm", "fpira(colour=2)", says="colour")
        self.refused("solve", "kuhn", "--algorithm", "cfr-ira(gamma=x)", says="gamma")


if __name__ == "__main__":
    main()
