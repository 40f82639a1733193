#!/usr/bin/env python3
"""A strategy as CSV and its game as .efg, checked by a program that shares no code with Cleave.

Few iterations, so that the strategies are far from equilibrium and mistakes cannot hide behind zeros.
"""
import json
import os
import subprocess
import sys

from support import CORPUS, INDEPENDENT, PATIENCE, Cli, main

CHECKER = os.path.join(INDEPENDENT, "check_strategy.py")
TOLERANCE = 1e-9
GAMES = (
    "kuhn", "kuhn(cards=7)",
    "leduc", "leduc(ranks=4,suits=1,distinct=false,bets=1:3/2,raises=2,max_raises=2)",
    "coin_toss", "coin_toss(sell_heads=1/3,sell_tails=-0.7)",
    "goofspiel", "goofspiel(cards=3,prizes=random,reveal=true,payoff=points)",
    "liars_dice(faces=3)", "rps(weights=1:2:7/3)", "nim",
    "random", "random(depth=7,branching=2,observations=1,seed=11)",
    "random(depth=6,branching=4,observations=3,seed=5,vary=true,chance=0.3,stop=0.2)",
    "random(depth=4,branching=5,observations=2,seed=9,chance=0.5)",
    "random(depth=9,branching=2,observations=2,seed=21,stop=0.1)",
)  # fmt: skip
FILES = ("chance", "crlf", "escapes", "inner", "labels", "restated", "utf8")  # the constant-sum ones
BALANCED = {"rps(weights=1:2:7/3)"}  # where one iteration may stand at an equilibrium by symmetry


class Independent(Cli):
    def check(self, game, *how):
        """The certificates of solve, of evaluate and of the checker agree; returns the exploitability."""
        solved = self.json("solve", game, *how, "--out", "x.csv")
        self.cleave("export", game, "--efg", "x.efg")
        done = subprocess.run([sys.executable, CHECKER, "x.efg", "x.csv"], cwd=self.folder, capture_output=True,
                              text=True, timeout=PATIENCE, check=False)  # fmt: skip
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        theirs = json.loads(done.stdout)
        for ours in (solved, self.json("evaluate", game, "x.csv"), self.json("evaluate", "x.efg", "x.csv")):
            self.assertAlmostEqual(ours["value"], theirs["value"], delta=TOLERANCE)
            self.assertAlmostEqual(ours["exploitability"], theirs["exploitability"], delta=TOLERANCE)
            for player in (0, 1):
                self.assertAlmostEqual(ours["best_response"][player], theirs["best_response"][player], delta=TOLERANCE)
        return theirs["exploitability"]

    def test_games(self):
        ways = (("--algorithm", "cfr", "--iterations", "2"),
                ("--algorithm", "external-sampling", "--iterations", "30", "--seed", "3"))  # fmt: skip
        for number, game in enumerate(GAMES):
            how = ways[number % 2]
            with self.subTest(game=game, how=how):
                exploitability = self.check(game, *how)
                if game not in BALANCED:
                    self.assertGreater(exploitability, 1e-3)

    def test_files(self):
        for name in FILES:
            with self.subTest(name):
                self.check(os.path.join(CORPUS, name + ".efg"), "--iterations", "2")
        self.check(os.path.join(INDEPENDENT, "kuhn.efg"), "--algorithm", "xfp", "--iterations", "3")

    def test_equilibria(self):
        """Off the path too: the exact solvers' answers are checked as any other."""
        for game, name in (("kuhn", "lp"), ("coin_toss", "lp"), ("goofspiel(cards=3)", "lp"), ("nim", "backward-induction")):
            with self.subTest(game):
                self.assertLess(abs(self.check(game, "--algorithm", name)), 1e-9)


if __name__ == "__main__":
    main()
