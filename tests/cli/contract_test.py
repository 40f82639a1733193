#!/usr/bin/env python3
"""The contract at the command line, form by form."""
import csv
import os
import struct
import xml.etree.ElementTree

from support import CORPUS, PATIENCE, Cli, main

GAMES = {"kuhn", "leduc", "liars_dice", "goofspiel", "coin_toss", "rps", "nim", "random"}
ALGORITHMS = {
    "cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "hs-dcfr", "hs-pcfr+", "cfr-br", "xfp", "fpira", "cfr-ira",
    "external-sampling", "chance-sampling", "pure-cfr", "lp", "backward-induction",
}  # fmt: skip
SOLVE_KEYS = {"game", "algorithm", "iterations", "seconds", "exploitability", "value", "infosets", "histories"}
HEADER = "player,infoset,action,probability\n"

MATCHING_PENNIES = """EFG 2 R "pennies" { "A" "B" }
p "" 1 1 "hide" { "heads" "tails" } 0
p "" 2 1 "guess" { "heads" "tails" } 0
t "" 1 "found" { -1 1 }
t "" 2 "not found" { 3/2 -3/2 }
p "" 2 1 0
t "" 2
t "" 1
"""
PENNIES_CSV = HEADER + "1,hide,heads,0.25\n1,hide,tails,0.75\n2,guess,heads,0.5\n2,guess,tails,0.5\n"
GENERAL_SUM = MATCHING_PENNIES.replace("-3/2", "5")
CONSTANT_SUM = MATCHING_PENNIES.replace("{ -1 1 }", "{ 1 2 }").replace("{ 3/2 -3/2 }", "{ 7/2 -1/2 }")
THREE_PLAYERS = """EFG 2 R "three" { "A" "B" "C" }
p "" 3 1 "third" { "l" "r" } 0
t "" 1 "" { 1 -1 0 }
t "" 2 "" { 0 1 -1 }
"""
FORGETFUL = """EFG 2 R "forgets" { "A" "B" }
p "" 1 1 "first" { "l" "r" } 0
p "" 1 2 "second" { "l" "r" } 0
t "" 1 "" { 1 -1 }
t "" 2 "" { 2 -2 }
p "" 1 2 0
t "" 2
t "" 1
"""


class Lists(Cli):
    def test_games(self):
        out = self.cleave("games")
        self.assert_fits(out)
        names = {line for line in out.splitlines() if line and line[0].islower()}
        self.assertEqual(names, GAMES)
        listed = self.json("games")["games"]
        self.assertEqual({game["name"] for game in listed}, GAMES)
        for game in listed:
            for parameter in game["parameters"]:
                self.assertIn(f"      {parameter['name']}={parameter['default']} ", out)

    def test_listed_defaults_are_what_the_bare_name_means(self):
        for game in self.json("games")["games"]:
            parameters = [p for p in game["parameters"] if not (game["name"], p["name"]) == ("leduc", "raises")]
            spelled = ",".join(f"{p['name']}={p['default']}" for p in parameters)
            with self.subTest(game["name"]):
                self.assertEqual(self.json("info", f"{game['name']}({spelled})"), self.json("info", game["name"]))

    def test_algorithms(self):
        out = self.cleave("algorithms")
        self.assert_fits(out)
        listed = self.json("algorithms")
        self.assertEqual({a["name"] for a in listed["algorithms"]}, ALGORITHMS)
        self.assertIn(f"\n{listed['default']}  (the default)\n", out)
        self.assertEqual(self.json("solve", "kuhn")["algorithm"], listed["default"])

    def test_help_and_version(self):
        commands = ("games", "algorithms", "info", "solve", "evaluate", "show", "ranges", "export", "plot", "methods", "resolve",
                    "decompose", "match", "reproduce")
        for command in commands:
            self.assertIn(f"\n  {command} ", self.cleave("--help"))
        for args in ((), *((command,) for command in commands)):
            with self.subTest(args):
                self.assert_fits(self.cleave(*args, "--help"))
        self.assertRegex(self.cleave("--version"), r"\Acleave \d+\.\d+(\.\d+)?\n\Z")


class Info(Cli):
    # Published: Kuhn 12 information sets; Leduc 936 and 9,457 histories; Liar's Dice 24,576.
    COUNTS = {
        "kuhn": {"histories": 58, "terminal_histories": 30, "infosets_per_player": [6, 6]},
        "leduc": {"histories": 9457, "terminal_histories": 5520, "infosets_per_player": [468, 468]},
        "liars_dice": {"histories": 294883, "infosets_per_player": [12288, 12288]},
        "rps": {"histories": 13, "terminal_histories": 9, "infosets_per_player": [1, 1], "public_states": 2},
    }

    def test_counts(self):
        for game, counts in self.COUNTS.items():
            with self.subTest(game):
                info = self.json("info", game)
                self.assertEqual(info["game"], game)
                self.assertEqual({key: info[key] for key in counts}, counts)
                self.assertEqual(info["infosets"], sum(info["infosets_per_player"]))
                self.assertTrue(info["perfect_recall"] and info["zero_sum"])
                self.assertGreater(info["public_states"], 0)

    def test_text_and_json_say_the_same(self):
        for game in ("kuhn", "leduc", "goofspiel", "nim"):
            with self.subTest(game):
                out, info = self.cleave("info", game), self.json("info", game)
                self.assert_fits(out)
                for key in ("histories", "terminal_histories", "infosets", "public_states"):
                    self.assertRegex(out, rf"\b{info[key]:,}\b")
                for player, count in enumerate(info["infosets_per_player"], 1):
                    self.assertIn(f"player {player}: {count:,}", out)
                self.assertRegex(out, r"perfect recall +yes\n")
                self.assertRegex(out, r"zero-sum +yes\n")
        self.assertTrue(self.json("info", "nim")["perfect_information"])
        self.assertFalse(self.json("info", "kuhn")["perfect_information"])

    def test_parameters_and_their_names(self):
        info = self.json("info", "leduc(ranks=4,suits=3)")
        self.assertEqual(info["game"], "leduc(ranks=4,suits=3)")
        self.assertEqual(info, self.json("info", " leduc ( suits=3 , ranks = 4 ) "))
        self.assertEqual(self.json("info", "kuhn()"), self.json("info", "kuhn"))

    def test_efg(self):
        self.put("pennies.efg", MATCHING_PENNIES)
        info = self.json("info", "pennies.efg")
        self.assertEqual(
            {k: info[k] for k in ("players", "histories", "terminal_histories", "infosets_per_player", "zero_sum")},
            {"players": 2, "histories": 7, "terminal_histories": 4, "infosets_per_player": [1, 1], "zero_sum": True},
        )


class Solve(Cli):
    def test_keys(self):
        result = self.json("solve", "leduc")
        self.assertLessEqual(SOLVE_KEYS, result.keys())
        self.assertEqual((result["game"], result["histories"], result["infosets"]), ("leduc", 9457, 936))
        self.assertGreater(result["seconds"], 0)
        one, two = result["best_response"]
        self.assertAlmostEqual((one + two) / 2, result["exploitability"], delta=1e-12)

    def test_bare_command_reaches_a_sensible_accuracy(self):
        for game in sorted(GAMES - {"liars_dice"} | {"liars_dice(faces=4)"}):
            with self.subTest(game):
                result = self.json("solve", game)
                self.assertEqual(result["stopped"], "target")
                self.assertLessEqual(result["exploitability"], result["target"])
                self.assertLess(result["exploitability"], 1e-3)
                self.assert_fits(self.cleave("solve", game, "--iterations", "20", "--show", "200"))

    def test_known_values(self):
        for game, value in {"kuhn": -1 / 18, "leduc": -0.085606424, "rps": 0, "coin_toss": 0}.items():
            with self.subTest(game):
                result = self.json("solve", game, "--algorithm", "lp")
                self.assertLess(abs(result["exploitability"]), 1e-9)
                if game != "coin_toss":
                    self.assertAlmostEqual(result["value"], value, delta=1e-9)

    def test_every_algorithm(self):
        for name in sorted(ALGORITHMS):
            with self.subTest(name):
                game = "nim" if name == "backward-induction" else "kuhn"
                limit = [] if name in ("lp", "backward-induction") else ["--iterations", "200"]
                result = self.json("solve", game, "--algorithm", name, *limit)
                self.assertEqual(result["algorithm"], name)
                self.assertLess(result["exploitability"], 0.3)
                self.assertEqual(result["stopped"], "iterations" if limit else "finished")
                if limit:
                    self.assertEqual(result["iterations"], 200)
        self.assertEqual(self.json("solve", "kuhn", "--algorithm", "dcfr(gamma=3)")["algorithm"], "dcfr(gamma=3)")

    def test_limits(self):
        result = self.json("solve", "leduc", "--target", "0.01")
        self.assertEqual(result["stopped"], "target")
        self.assertLessEqual(result["exploitability"], 0.01)
        self.assertGreater(result["exploitability"], 1e-4)
        result = self.json("solve", "leduc", "--iterations", "7", "--target", "1e-9")
        self.assertEqual((result["stopped"], result["iterations"]), ("iterations", 7))
        result = self.json("solve", "leduc", "--seconds", "0.3", "--target", "1e-15")
        self.assertEqual(result["stopped"], "seconds")
        self.assertGreaterEqual(result["seconds"], 0.3)
        self.assertLess(result["seconds"], 30)

    def test_quiet(self):
        code, out, err = self.run_any("solve", "leduc", "--iterations", "10", "--quiet")
        self.assertEqual((code, err), (0, ""))
        self.assert_fits(out)
        self.assertIn("exploitability", out)

    def test_text(self):
        out = self.cleave("solve", "leduc(ranks=4,suits=3)", "--iterations", "100", "--show", "9", "--out", "x.csv")
        self.assert_fits(out)
        for word in ("game", "algorithm", "iterations", "value", "best response", "exploitability", "stopped", "x.csv"):
            self.assertRegex(out, rf"(?m)^{word}|{word}$")

    def test_text_fits_with_long_names(self):
        long = "x" * 150
        self.put("long.efg", MATCHING_PENNIES.replace('"hide"', f'"{long}"').replace('"tails"', f'"{long}"'))
        self.assert_fits(self.cleave("solve", "long.efg", "--iterations", "5", "--show", "9"))
        self.assert_fits(self.cleave("solve", "goofspiel(cards=3,prizes=random,reveal=true,payoff=points)",
                                     "--iterations", "5", "--show", "500"))  # fmt: skip
        self.assert_fits(self.cleave("solve", "random(depth=8,branching=2,observations=2,seed=12345,vary=true,"
                                     "chance=0.25,stop=0.125)", "--iterations", "5"))  # fmt: skip

    def test_exact_algorithms_refuse_what_they_cannot_do(self):
        self.refused("solve", "kuhn", "--algorithm", "backward-induction", says="perfect information")


class Files(Cli):
    def test_evaluate_agrees_with_the_certificate(self):
        for game in ("kuhn", "leduc", "coin_toss", "goofspiel", "rps", "nim", "random(seed=5,chance=0.3)"):
            with self.subTest(game):
                solved = self.json("solve", game, "--iterations", "3", "--algorithm", "cfr", "--out", "x.csv")
                found = self.json("evaluate", game, "x.csv")
                for key in ("value", "exploitability"):
                    self.assertAlmostEqual(found[key], solved[key], delta=1e-12)
                for ours, theirs in zip(found["best_response"], solved["best_response"]):
                    self.assertAlmostEqual(ours, theirs, delta=1e-12)
                self.assertEqual((found["infosets"], found["histories"]), (solved["infosets"], solved["histories"]))
                self.assert_fits(self.cleave("evaluate", game, "x.csv", "--show", "50"))

    def test_csv(self):
        self.cleave("solve", "kuhn", "--iterations", "50", "--out", "x.csv")
        text = self.text("x.csv")
        self.assertTrue(text.startswith(HEADER) and text.endswith("\n") and "\r" not in text)
        rows = list(csv.DictReader(text.splitlines()))
        sums = {}
        for row in rows:
            key = row["player"], row["infoset"]
            sums[key] = sums.get(key, 0) + float(row["probability"])
        self.assertEqual(len(rows), 24)
        self.assertEqual(sorted(player for player, _ in sums), ["1"] * 6 + ["2"] * 6)
        for total in sums.values():
            self.assertAlmostEqual(total, 1, delta=1e-12)

    def test_csv_and_hdf5_evaluate_to_the_same(self):
        args = ("solve", "leduc", "--iterations", "20", "--algorithm", "external-sampling")
        self.cleave(*args, "--out", "x.csv")
        self.cleave(*args, "--out", "x.h5")
        self.assertEqual(self.read("x.h5")[512:520], b"\x89HDF\r\n\x1a\n")
        ours, theirs = self.json("evaluate", "leduc", "x.csv"), self.json("evaluate", "leduc", "x.h5")
        self.assertEqual({**ours, "strategy": ""}, {**theirs, "strategy": ""})

    def test_a_strategy_fits_the_exported_game(self):
        for game in ("kuhn", "leduc", "coin_toss", "goofspiel(cards=3)", "rps(weights=1:2:3)", "nim", "random(seed=3)"):
            with self.subTest(game):
                self.cleave("solve", game, "--iterations", "4", "--out", "x.csv")
                self.cleave("export", game, "--efg", "x.efg")
                self.assertTrue(self.text("x.efg").startswith("EFG 2 R "))
                ours, theirs = self.json("evaluate", game, "x.csv"), self.json("evaluate", "x.efg", "x.csv")
                for key in ("value", "exploitability", "infosets", "histories"):
                    self.assertAlmostEqual(ours[key], theirs[key], delta=1e-12)
                a, b = self.json("info", game), self.json("info", "x.efg")
                self.assertEqual({**a, "game": "", "memory_bytes": 0}, {**b, "game": "", "memory_bytes": 0})
                # Solving the file is solving the game.
                self.cleave("solve", "x.efg", "--iterations", "4", "--out", "y.csv")
                self.assertEqual(sorted(self.text("x.csv").splitlines()), sorted(self.text("y.csv").splitlines()))

    def test_names_need_not_be_utf8(self):
        game = b"\xff.efg"
        with open(os.path.join(self.folder.encode(), game), "w", encoding="utf-8") as file:
            file.write(MATCHING_PENNIES)
        self.assertEqual(self.json("info", game)["histories"], 7)
        self.assertEqual(self.json("solve", game, "--iterations", "5", "--out", b"\xfe.csv")["iterations"], 5)
        self.assertEqual(self.json("evaluate", game, b"\xfe.csv")["histories"], 7)

    def test_export_is_stable(self):
        self.cleave("export", "leduc", "--efg", "a.efg")
        self.cleave("export", "a.efg", "--efg", "b.efg")
        a, b = self.text("a.efg").split("\n", 1), self.text("b.efg").split("\n", 1)
        self.assertEqual(a[1], b[1])  # the first line has the title

    def test_history(self):
        solved = self.json("solve", "kuhn", "--iterations", "300", "--out", "x.csv")
        self.assertEqual(solved["history"], "x.history.csv")
        rows = list(csv.DictReader(self.text("x.history.csv").splitlines()))
        self.assertEqual(list(rows[0]), ["game", "algorithm", "iteration", "seconds", "exploitability", "value"])
        self.assertEqual({(row["game"], row["algorithm"]) for row in rows}, {("kuhn", solved["algorithm"])})
        iterations = [int(row["iteration"]) for row in rows]
        self.assertEqual((iterations, iterations[0], iterations[-1]), (sorted(set(iterations)), 1, 300))
        self.assertEqual(float(rows[-1]["exploitability"]), solved["exploitability"])
        self.assertEqual(float(rows[-1]["value"]), solved["value"])
        self.cleave("solve", "kuhn", "--iterations", "10", "--history", "other.csv")
        self.assertEqual(self.files(), ["other.csv", "x.csv", "x.history.csv"])

    def test_plot(self):
        self.cleave("solve", "leduc(ranks=2)", "--iterations", "200", "--algorithm", "cfr", "--history", "a.csv")
        self.cleave("solve", "leduc(ranks=2)", "--iterations", "200", "--algorithm", "cfr+", "--history", "b.csv")
        self.cleave("plot", "a.csv", "b.csv", "--out", "x.svg")
        root = xml.etree.ElementTree.fromstring(self.read("x.svg"))
        self.assertEqual(root.tag, "{http://www.w3.org/2000/svg}svg")
        self.cleave("plot", "a.csv", "b.csv", "--out", "x.png", "--x", "seconds", "--title", "A title")
        png = self.read("x.png")
        self.assertEqual(png[:8], b"\x89PNG\r\n\x1a\n")
        width, height = struct.unpack(">II", png[16:24])
        self.assertTrue(width > 300 and height > 200, (width, height))
        self.assertEqual(png[-8:-4], b"IEND")
        self.put("zero.csv", self.text("a.csv").splitlines()[0] + "\nkuhn,cfr,0,0,0.5,0\nkuhn,cfr,9,1e-3,0.1,0\nkuhn,cfr,10,1e-3,0,0\n")
        self.cleave("plot", "zero.csv", "--out", "zero.svg")  # no logarithm has zero
        self.cleave("plot", "a.csv")
        self.assertIn("convergence.svg", self.files())

    def test_constant_sum(self):
        self.put("x.efg", CONSTANT_SUM)
        info = self.json("info", "x.efg")
        self.assertEqual((info["zero_sum"], info["constant_sum"]), (False, True))
        self.put("zero.efg", MATCHING_PENNIES)
        shifted = self.json("solve", "x.efg", "--algorithm", "lp")
        plain = self.json("solve", "zero.efg", "--algorithm", "lp")
        self.assertAlmostEqual(shifted["value"], plain["value"] + 2, delta=1e-9)
        self.assertLess(abs(shifted["exploitability"]), 1e-9)
        self.assertAlmostEqual(sum(shifted["best_response"]), 3, delta=1e-9)

    def test_evaluate_by_hand(self):
        self.put("x.efg", MATCHING_PENNIES)
        self.put("x.csv", PENNIES_CSV)
        found = self.json("evaluate", "x.efg", "x.csv")
        # Player 1 hides tails three times in four; guessing tails is player 2's best: -(1/4 * 3/2) + 3/4.
        self.assertAlmostEqual(found["value"], 0.25, delta=1e-15)
        self.assertAlmostEqual(found["best_response"][0], 0.25, delta=1e-15)
        self.assertAlmostEqual(found["best_response"][1], 0.375, delta=1e-15)
        self.assertAlmostEqual(found["exploitability"], 0.3125, delta=1e-15)


class WrongUse(Cli):
    def test_commands_and_options(self):
        self.refused(says="(?i)subcommand")
        self.refused("slove", "kuhn", says=["slove", "solve"])
        self.refused("solve", says="GAME")
        self.refused("evaluate", "kuhn", says="STRATEGY")
        self.refused("export", "kuhn", says="--efg")
        self.refused("plot", says="FILE")
        self.refused("solve", "kuhn", "--bogus", says="--bogus")
        self.refused("solve", "kuhn", "leduc", says="leduc")
        self.refused("solve", "kuhn", "--out", says="--out")

    def test_games(self):
        for command in (["info"], ["solve"], ["export", "--efg", "x.efg"]):
            with self.subTest(command):
                self.refused(*command, "ledux", says=["'ledux'", "leduc", "allowed"])
                self.refused(*command, "leduc(colour=3)", says=["'colour'", "ranks"])
                self.refused(*command, "leduc(ranks=1)", says=["'ranks'", "'1'", "from 2 to 13"])
                self.refused(*command, "leduc(ranks=many)", says=["'ranks'", "'many'", "whole number"])
                self.refused(*command, "leduc(ranks=3,ranks=4)", says=["ranks", "twice"])
                self.refused(*command, "leduc(ranks=3", says=["character", r"'\)'"])
                self.refused(*command, "no.efg", says="no.efg.*No such file")
                self.refused(*command, "spot.toml", says="spot.toml.*(allowed|No such file)")
                self.refused(*command, "", says="name")
        self.assertEqual(self.files(), [])

    def test_algorithms(self):
        self.refused("solve", "kuhn", "--algorithm", "cfr++", says=r"'cfr\+\+'.*pcfr\+")
        self.refused("solve", "kuhn", "--algorithm", "cfr(x=1)", says="'x'.*updates")
        self.refused("solve", "kuhn", "--algorithm", "dcfr(alpha=q)", says="'alpha'.*'q'.*number")

    def test_values(self):
        for option, *values in (
            ("--iterations", "0", "-5", "x", "1e3", "1.5", "99999999999999999999"),
            ("--target", "0", "-1", "x", "0.1%", "nan"),
            ("--seconds", "0", "-1", "x", "nan"),
            ("--threads", "0", "-1", "x"),
            ("--seed", "x", "1.5", "-1"),
            ("--checkpoint-every", "-1", "x", "nan"),
            ("--show", "0", "x"),
        ):
            for value in values:
                with self.subTest(option=option, value=value):
                    # The second limit ends a run that takes the value after all.
                    end = [] if option == "--iterations" else ["--iterations", "2"]
                    self.refused("solve", "kuhn", option, value, *end, says=option)

    def test_places_to_write(self):
        self.refused("solve", "kuhn", "--out", "no/x.csv", says="no/x.csv.*folder no")
        self.refused("solve", "kuhn", "--history", "no/x.csv", says="no/x.csv.*folder no")
        self.refused("solve", "kuhn", "--checkpoint", "no/x", says="no/x.*folder no")
        self.refused("export", "kuhn", "--efg", "no/x.efg", says="no/x.efg")
        self.refused("solve", "kuhn", "--out", "x.txt", says=r"x\.txt.*\.csv.*\.h5")
        self.refused("solve", "kuhn", "--out", "x", says=r"\.csv.*\.h5")
        self.refused("solve", "kuhn", "--resume", says="--resume.*--checkpoint")
        os.mkdir(self.path("folder.csv"))
        self.refused("solve", "kuhn", "--out", "folder.csv", says="folder.csv")
        self.assertEqual(self.files(), ["folder.csv"])

    def test_two_files_at_one_place(self):
        self.refused("solve", "kuhn", "--out", "x.csv", "--history", "x.csv", says="x.csv")
        self.refused("solve", "kuhn", "--out", "x.h5", "--checkpoint", "x.h5", says="x.h5")
        self.refused("solve", "kuhn", "--out", "x.csv", "--checkpoint", "x.history.csv", says="x.history.csv")
        self.assertEqual(self.files(), [])

    def test_plots(self):
        self.cleave("solve", "kuhn", "--iterations", "10", "--history", "a.csv")
        self.refused("plot", "none.csv", says="none.csv")
        self.refused("plot", "a.csv", "--out", "x.pdf", says=r"x\.pdf.*\.svg.*\.png")
        self.refused("plot", "a.csv", "--out", "no/x.svg", says="no/x.svg")
        self.refused("plot", "a.csv", "--x", "moons", says="moons")
        self.refused("plot", self.put("b.csv", HEADER), says=r"b\.csv:1: ")
        broken = self.text("a.csv").splitlines()
        broken[3] = broken[3].replace(",", ";")
        self.refused("plot", self.put("c.csv", "\n".join(broken)), says=r"c\.csv:4: ")
        self.assertEqual(self.files(), ["a.csv", "b.csv", "c.csv"])

    def test_no_space_is_a_failed_run(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full here")
        self.refused("export", "leduc", "--efg", "/dev/full", says="/dev/full.*No space", code=1)
        with open("/dev/full", "wb") as full:
            process = self.start("info", "kuhn", stdout=full)
            _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 1)
        self.assertRegex(err.decode(), r"\Acleave: [^\n]*standard output[^\n]*\n\Z")

    def test_bad_efg(self):
        lines = MATCHING_PENNIES.splitlines()
        for name, number, line, says in (
            ("word", 1, 'GAME 2 R "x" { "A" "B" }', ":1:1: "),
            ("version", 1, 'EFG 3 R "x" { "A" "B" }', ":1:5: .*allowed is 2"),
            ("player", 2, 'p "" 7 1 "hide" { "heads" "tails" } 0', ":2:6: .*from 1 to 2"),
            ("sum", 2, 'c "" 1 "" { "l" 1/2 "r" 1/3 } 0', ":2:11: .*5/6.*exactly 1"),
            ("number", 4, 't "" 1 "found" { -1 one }', ":4:21: "),
            ("set", 6, 'p "" 2 9 0', ":6:8: .*not described"),
            ("outcome", 8, 't "" 9', ":8:6: .*not described"),
            ("string", 8, 't "never closed 1', ":8:3: "),
        ):
            with self.subTest(name):
                broken = lines.copy()
                broken[number - 1] = line
                self.put("x.efg", "\n".join(broken) + "\n")
                for command in (["info"], ["solve"], ["evaluate"], ["export", "--efg", "y.efg"]):
                    more = ["x.csv"] if command == ["evaluate"] else []
                    self.refused(*command, "x.efg", *more, says=r"x\.efg" + says)
        self.refused("info", self.put("x.efg", "\n".join(lines[:-1])), says=r"x\.efg:7:7: .*1 more node")
        self.refused("info", self.put("x.efg", MATCHING_PENNIES + 't "" 1\n'), says=r"x\.efg:9:1: ")
        self.refused("info", self.put("x.efg", ""), says=r"x\.efg:1:1: ")
        self.refused("info", self.put("x.efg", b"\x89PNG\r\n\x1a\n\0\0\0"), says=r"x\.efg:1:1: ")
        self.refused("info", self.put("x.efg", MATCHING_PENNIES.replace("hide", "hi\nde\x1b[2J", 1)[:60]), says=":3:")
        self.refused("info", os.path.join(CORPUS, "truncated.efg"), says="truncated.efg:4:1: ")

    def test_games_that_solvers_cannot_take(self):
        for name, text, told, says in (
            ("three", THREE_PLAYERS, {"players": 3}, "two players.* 3"),
            ("general", GENERAL_SUM, {"zero_sum": False, "constant_sum": False}, "zero-sum.*0.*6.5"),
            ("forgets", FORGETFUL, {"perfect_recall": False}, "perfect recall.*player 1.*'second'"),
        ):
            with self.subTest(name):
                file = self.put(f"{name}.efg", text)
                info = self.json("info", file)
                self.assertEqual({key: info[key] for key in told}, told)
                self.assert_fits(self.cleave("info", file))
                self.refused("solve", file, says=says)
                self.refused("solve", file, "--algorithm", "lp", "--out", "x.csv", says=says)
                self.refused("evaluate", file, "x.csv", says=says)
                self.assertNotIn("x.csv", self.files())
                self.cleave("export", file, "--efg", "again.efg")
                again = self.json("info", "again.efg")
                self.assertEqual({**info, "game": ""}, {**again, "game": ""})

    def test_strategies(self):
        self.put("x.efg", MATCHING_PENNIES)
        rows = PENNIES_CSV.splitlines()

        def bad(says, text):
            self.refused("evaluate", "x.efg", self.put("x.csv", text), says=says)

        def changed(number, row):
            return "\n".join([*rows[: number - 1], *row, *rows[number:]]) + "\n"

        bad(r"x\.csv:1: .*player,infoset,action,probability", "\n".join(rows[1:]))
        bad(r"x\.csv:\d+: .*player 2, infoset 'guess', action 'tails'.*missing", changed(5, []))
        bad(r"x\.csv:4: .*no information set 'gues'", changed(4, ["2,gues,heads,0.5"]))
        bad(r"x\.csv:4: .*no action 'head'.*heads", changed(4, ["2,guess,head,0.5"]))
        bad(r"x\.csv:4: .*player '3'.*1 and 2", changed(4, ["3,guess,heads,0.5"]))
        bad(r"x\.csv:3: .*probability '-0\.75'", changed(3, ["1,hide,tails,-0.75"]))
        bad(r"x\.csv:3: .*probability 'nan'", changed(3, ["1,hide,tails,nan"]))
        bad(r"x\.csv:3: .*'hide'.*sum to 0\.9", changed(3, ["1,hide,tails,0.65"]))
        bad(r"x\.csv:4: .*already in line 3", changed(3, [rows[2], rows[2]]))
        bad(r"x\.csv:3: 3 fields.*4", changed(3, ["1,hide,tails"]))
        bad(r"x\.csv:1: ", "")
        self.refused("evaluate", "x.efg", "none.csv", says="none.csv.*No such file")
        self.refused("evaluate", "x.efg", "x.txt", says=r"\.csv.*\.h5")
        self.refused("evaluate", "x.efg", self.put("x.h5", "player,infoset"), says=r"x\.h5")
        self.cleave("solve", "leduc", "--iterations", "2", "--out", "leduc.h5")
        self.refused("evaluate", "x.efg", "leduc.h5", says=r"leduc\.h5.*'leduc'")
        damaged = bytearray(self.read("leduc.h5"))
        damaged[len(damaged) // 2] ^= 1
        self.refused("evaluate", "leduc", self.put("leduc.h5", bytes(damaged)), says=r"leduc\.h5.*checksum")


class Threads(Cli):
    def same_for_one_and_two(self, game, name, *limit):
        results = []
        for threads in ("1", "2"):
            out = f"{threads}.h5"
            result = self.json("solve", game, "--algorithm", name, "--seed", "7", "--threads", threads, "--out", out, *limit)
            self.assertEqual(result["threads"], int(threads))
            history = csv.DictReader(self.text(f"{threads}.history.csv").splitlines())
            course = [(row["iteration"], row["exploitability"], row["value"]) for row in history]
            results.append((self.read(out), result["exploitability"], result["value"], course))
        self.assertEqual(results[0], results[1])
        return results[0]

    def test_every_algorithm(self):
        for name in sorted(ALGORITHMS):
            with self.subTest(name):
                if name == "backward-induction":
                    self.same_for_one_and_two("nim(piles=3:4:5)", name)
                elif name == "lp":
                    self.same_for_one_and_two("leduc(ranks=2)", name)
                else:
                    self.same_for_one_and_two("leduc", name, "--iterations", "100")
                    self.same_for_one_and_two("liars_dice(faces=5)", name, "--iterations", "5")

    def test_seed_matters_where_it_should(self):
        for name in ("external-sampling", "chance-sampling", "pure-cfr"):
            with self.subTest(name):
                for seed in ("1", "2", "1"):
                    args = ("--algorithm", name, "--iterations", "100", "--seed", seed, "--out", f"{seed}.csv")
                    before = self.read("1.csv") if seed == "1" and "1.csv" in self.files() else None
                    self.cleave("solve", "leduc", *args)
                    if before:
                        self.assertEqual(self.read("1.csv"), before)
                self.assertNotEqual(self.read("1.csv"), self.read("2.csv"))
                for file in self.files():
                    os.remove(self.path(file))


if __name__ == "__main__":
    main()
