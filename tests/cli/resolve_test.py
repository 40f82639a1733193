#!/usr/bin/env python3
"""`cleave resolve` and `cleave methods` from outside: tables, JSON, files, errors."""
import os

from support import Cli, main


class Resolve(Cli):
    def setUp(self):
        super().setUp()
        self.trunk = self.path("trunk.csv")
        self.cleave("solve", "leduc", "--algorithm", "cfr", "--iterations", "50", "--out", self.trunk)

    def resolve(self, *arguments):
        return self.json("resolve", "leduc", self.trunk, "--cut", "round:1", *arguments)

    def test_safe_methods_lower_exploitability_and_the_file_agrees(self):
        out = self.path("resolved.csv")
        result = self.resolve("--method", "maxmargin", "--out", out)
        self.assertEqual(result["subgames"], 5)
        self.assertLess(result["exploitability"], result["before"]["exploitability"])
        evaluated = self.json("evaluate", "leduc", out)
        self.assertAlmostEqual(evaluated["exploitability"], result["exploitability"], places=12)

    def test_all_compares_every_method_on_one_trunk(self):
        result = self.resolve("--method", "all", "--iterations", "200")
        names = [m["method"] for m in result["methods"]]
        listed = [m["name"] for m in self.json("methods")["methods"]]
        self.assertEqual(names, listed)
        self.assertGreaterEqual(len(names), 14)
        for method in result["methods"]:
            self.assertTrue(method["condition"])
            if method["safe"]:
                self.assertLessEqual(method["exploitability"], result["before"]["exploitability"])

    def test_threads_do_not_change_the_result(self):
        one = self.resolve("--threads", "1")["methods"][0]
        two = self.resolve("--threads", "2")["methods"][0]
        self.assertEqual(one["best_response"], two["best_response"])

    def test_summaries_are_all_that_is_needed_beside_the_trunk(self):
        summary = self.path("summary.h5")
        first = self.resolve("--save-summary", summary)
        second = self.resolve("--summary", summary)
        self.assertEqual(first["exploitability"], second["exploitability"])

    def test_one_player_and_one_subgame(self):
        before = self.resolve()["before"]["best_response"]
        after = self.resolve("--player", "1", "--subgame", "2")["methods"][0]["best_response"]
        self.assertEqual(before[0], after[0])  # player 2 plays as before
        self.assertLess(after[1], before[1] + 1e-4)

    def test_two_passes_with_an_abstraction(self):
        result = self.json("resolve", "leduc", "--cut", "round:1", "--abstraction", "leduc-strength",
                           "--method", "resolve")
        self.assertGreater(result["before"]["exploitability"], 0.3)
        self.assertLess(result["exploitability"], result["before"]["exploitability"])

    def test_text_fits_100_columns(self):
        text = self.cleave("resolve", "leduc", self.trunk, "--cut", "all", "--method", "all",
                           "--iterations", "5", "--keep-unreached")
        self.assertIn("exploitability", text)
        self.assert_fits(text)
        self.assert_fits(self.cleave("methods"))

    def test_errors(self):
        out = self.path("never.csv")
        bad = [
            (["leduc", self.trunk, "--cut", "river"], "there is no cut 'river'"),
            (["leduc", self.trunk, "--cut", "round:1", "--method", "hopeful"], "there is no method"),
            (["leduc", self.trunk, "--cut", "round:1", "--subgame", "9"], "subgames 1 to 5"),
            (["kuhn", self.trunk, "--cut", "depth:3"], "trunk.csv:2"),
            (["leduc", self.trunk, "--cut", "round:1", "--summary", self.trunk], "trunk.csv"),
            (["leduc", self.trunk, "--cut", "round:1", "--method", "all"], "--out needs one"),
            (["leduc", self.trunk, "--cut", "round:1", "--algorithm", "lp"], "allowed are cfr"),
        ]
        for arguments, message in bad:
            self.refused("resolve", *arguments, "--out", out, says=message)
            self.assertFalse(os.path.exists(out), arguments)

    def test_an_unsafe_method_refuses_a_trunk_that_never_comes(self):
        # Player 1 always folds to a bet and never bets: most subgames are not reached.
        with open(self.trunk) as file:
            rows = [line.rstrip("\n").split(",") for line in file]
        first_of = {}
        for row in rows[1:]:
            key = (row[0], row[1])
            row[3] = "0" if key in first_of else "1"
            first_of[key] = True
        with open(self.trunk, "w") as file:
            file.writelines(",".join(row) + "\n" for row in rows)
        out = self.path("never.csv")
        self.refused("resolve", "leduc", self.trunk, "--cut", "round:1", "--method", "unsafe",
                     "--out", out, says="the trunk never reaches this subgame")
        self.assertFalse(os.path.exists(out))
        self.cleave("resolve", "leduc", self.trunk, "--cut", "round:1", "--method", "unsafe",
                    "--keep-unreached", "--out", out)


if __name__ == "__main__":
    main()
