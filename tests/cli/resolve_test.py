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

    def test_an_opponent_who_never_comes_may_come_with_anything(self):
        # Player 1 never bets: player 2 comes to subgames that player 1 never comes to.
        with open(self.trunk) as file:
            rows = [line.rstrip("\n").split(",") for line in file]
        first_of = {}
        for row in rows[1:]:
            key = (row[0], row[1])
            if row[0] == "1":
                row[3] = "0" if key in first_of else "1"
            first_of[key] = True
        with open(self.trunk, "w") as file:
            file.writelines(",".join(row) + "\n" for row in rows)
        # All of its private states count alike there; such subgames can also be left as they are.
        answers = []
        for flags in [], ["--keep-unreached"]:
            out = self.path("never.csv")
            self.cleave("resolve", "leduc", self.trunk, "--cut", "round:1", "--method", "unsafe",
                        "--out", out, *flags)
            with open(out) as file:
                answers.append(file.read())
        self.assertTrue(answers[0] != answers[1], "no subgame was solved that the flag keeps")


SPOT = """
board = "Td9d6hQc"
pot = 200
stack = 400
[range]
oop = "AA,KQs,JTs,87s,A5s"
ip = "QQ,T9s,66,AJs,K9s"
[sizes]
bet = "75%,a"
raise = "a"
"""


class Poker(Cli):
    """The same methods on the vector engine."""

    def setUp(self):
        super().setUp()
        self.spot = self.path("spot.toml")
        with open(self.spot, "w") as file:
            file.write(SPOT)

    def test_every_method_below_a_bad_and_a_good_trunk(self):
        out = self.json("resolve", self.spot, "--cut", "deal:river", "--method", "all",
                        "--iterations", "300", "--blueprint-iterations", "5,200")
        self.assertEqual(len(out["trunks"]), 2)
        bad, good = out["trunks"]
        self.assertGreater(bad["before"]["exploitability"], 5 * good["before"]["exploitability"])
        for trunk in out["trunks"]:
            names = [row["method"] for row in trunk["methods"]]
            for name in "resolve", "maxmargin", "unsafe", "reach-maxmargin", "path-recovery", "graft":
                self.assertIn(name, names)
            for row in trunk["methods"]:
                self.assertAlmostEqual(sum(row["best_response"]) / 2 - 100, row["exploitability"], 6)
                if row["safe"]:
                    self.assertLess(row["exploitability"],
                                    trunk["before"]["exploitability"] + 0.5, row["method"])
        by_name = {row["method"]: row["exploitability"] for row in bad["methods"]}
        self.assertLess(by_name["maxmargin"], bad["before"]["exploitability"])

    def test_a_line_of_play_is_one_subgame(self):
        one, two, every = (self.json("resolve", self.spot, "--cut", cut, "--method", "maxmargin",
                                     "--iterations", "300", "--blueprint-iterations", "5")["trunks"][0]
                           for cut in ("line:check/bet 150", "line:check/check/*/bet 150", "street:river"))
        self.assertEqual(one["subgames"], 2)  # for each player
        self.assertEqual(two["subgames"], 2 * 48)
        for out in one, two:
            before, after = out["before"]["exploitability"], out["methods"][0]["exploitability"]
            self.assertLess(after, before)
            self.assertGreater(after, every["methods"][0]["exploitability"])
        self.refused("resolve", self.spot, "--cut", "line:check/bet 1", says="allowed are check, bet 150")
        self.refused("resolve", self.spot, "--cut", "line:check/check/Td", says="not out yet, or *")

    def test_cuts_before_and_after_the_deal_and_a_solution_from_a_file(self):
        solution = self.path("spot.h5")
        self.cleave("solve", self.spot, "--iterations", "30", "--out", solution, "--quiet")
        evaluated = self.json("evaluate", self.spot, solution)
        for cut in "street:river", "deal:river":
            out = self.json("resolve", self.spot, solution, "--cut", cut, "--method", "resolve",
                            "--iterations", "500")
            self.assertAlmostEqual(out["before"]["exploitability"], evaluated["exploitability"], 3)
            self.assertLess(out["exploitability"], evaluated["exploitability"] + 0.2)

    def test_the_recombined_strategy_is_as_exploitable_as_was_said(self):
        # The whole engine's best responses against the answers that were streamed: another route.
        out = self.path("recombined.h5")
        for cut in "street:river", "deal:river":
            said = self.json("resolve", self.spot, "--cut", cut, "--method", "maxmargin", "--iterations",
                             "100", "--blueprint-iterations", "20", "--out", out)
            found = self.json("evaluate", self.spot, out)
            self.assertAlmostEqual(found["exploitability"], said["exploitability"], 2)
            self.assertLess(found["exploitability"], 0.7 * said["before"]["exploitability"])
        self.refused("resolve", self.spot, "--cut", "deal:river", "--method", "all", "--out", out,
                     says="one method")
        self.refused("resolve", self.spot, "--cut", "deal:river", "--out", "x.csv", says=".h5")

    def test_threads_do_not_matter(self):
        one, two = (self.json("resolve", self.spot, "--cut", "deal:river", "--method", "maxmargin",
                              "--iterations", "20", "--threads", n) for n in "12")
        for trunk in one["trunks"] + two["trunks"]:
            for timed in [trunk] + trunk["methods"]:
                del timed["seconds"]
        self.assertEqual(one, two)

    def test_decompose_solves_a_spot_in_pieces(self):
        out = self.json("decompose", self.spot, "--cut", "deal:river", "--iterations", "200",
                        "--subgame-iterations", "60", "--resolve-iterations", "400")
        whole = self.json("solve", self.spot, "--iterations", "500")
        self.assertLess(out["exploitability_percent"], 3)
        self.assertAlmostEqual(out["trunk_value"], whole["value"], delta=3)
        self.assertLess(out["memory"]["trunk_bytes"], out["memory"]["whole_game_bytes"])

    def test_wrong_use_says_what_is_allowed(self):
        self.refused("resolve", self.spot, "--cut", "round:1", says="street:S")
        self.refused("resolve", self.spot, "--cut", "deal:flop", says="out of river")
        self.refused("decompose", self.spot, "--cut", "deal:river", "--method", "nothing",
                     says="there is no method")
        self.refused("resolve", self.spot, "--cut", "deal:river", "--exact", says="tree engine")


if __name__ == "__main__":
    main()
