#!/usr/bin/env python3
"""The checker itself, on games whose answers are known from the literature or by hand."""
import os
import subprocess
import sys
import tempfile
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True
import check_strategy  # noqa: E402

KUHN = os.path.join(HERE, "kuhn.efg")
HEADER = "player,infoset,action,probability\n"

SECOND_MOVES = {"": ("check", "bet"), "c": ("check", "bet"), "cb": ("fold", "call"), "b": ("fold", "call")}


def kuhn_rows(second):
    """Rows from the probability of the bolder action (bet, call) at each (player, infoset)."""
    rows = []
    for (player, infoset), p in second.items():
        quiet, bold = SECOND_MOVES[infoset[2:]]
        rows.append(f"{player},{infoset},{quiet},{1 - p!r}")
        rows.append(f"{player},{infoset},{bold},{p!r}")
    return rows


def kuhn_equilibrium(alpha):
    """Kuhn's own family of equilibria; alpha from 0 to 1/3 is how often player 1 bets the jack."""
    return {
        (1, "J:"): alpha, (1, "Q:"): 0.0, (1, "K:"): 3 * alpha,
        (1, "J:cb"): 0.0, (1, "Q:cb"): alpha + 1 / 3, (1, "K:cb"): 1.0,
        (2, "J:c"): 1 / 3, (2, "Q:c"): 0.0, (2, "K:c"): 1.0,
        (2, "J:b"): 0.0, (2, "Q:b"): 1 / 3, (2, "K:b"): 1.0,
    }  # fmt: skip


class CheckStrategy(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def put(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
        return path

    def check(self, rows, game=KUHN):
        return check_strategy.check(game, self.put("x.csv", HEADER + "\n".join(rows) + "\n"))

    def refused(self, rows, what, game=KUHN):
        with self.assertRaisesRegex(check_strategy.Bad, what):
            self.check(rows, game)

    def test_kuhn_equilibria(self):
        for alpha in (0.0, 0.1, 0.25, 1 / 3):
            result = self.check(kuhn_rows(kuhn_equilibrium(alpha)))
            self.assertAlmostEqual(result["value"], -1 / 18, delta=1e-15)
            self.assertAlmostEqual(result["best_response"][0], -1 / 18, delta=1e-15)
            self.assertAlmostEqual(result["best_response"][1], 1 / 18, delta=1e-15)
            self.assertAlmostEqual(result["exploitability"], 0, delta=1e-15)

    def test_kuhn_uniform(self):
        # NashConv of uniform play is 11/12.
        result = self.check(kuhn_rows({key: 0.5 for key in kuhn_equilibrium(0)}))
        self.assertAlmostEqual(result["value"], 1 / 8, delta=1e-15)
        self.assertAlmostEqual(result["best_response"][0], 1 / 2, delta=1e-15)
        self.assertAlmostEqual(result["best_response"][1], 5 / 12, delta=1e-15)
        self.assertAlmostEqual(result["exploitability"], 11 / 24, delta=1e-15)

    def test_best_response_against_every_pure_strategy(self):
        opponent = kuhn_equilibrium(0.2)
        opponent.update({(2, "Q:c"): 0.7, (2, "J:b"): 0.4})
        own = [key for key in opponent if key[0] == 1]
        best = -9.0
        for bits in range(1 << len(own)):
            pure = dict(opponent)
            for i, key in enumerate(own):
                pure[key] = float(bits >> i & 1)
            best = max(best, self.check(kuhn_rows(pure))["value"])
        self.assertAlmostEqual(self.check(kuhn_rows(opponent))["best_response"][0], best, delta=1e-15)

    def test_any_order_and_line_end(self):
        rows = kuhn_rows(kuhn_equilibrium(0.1))
        expected = self.check(rows)
        path = self.put("y.csv", "\ufeff" + HEADER.strip() + "\r\n" + "\r\n".join(reversed(rows)) + "\r\n")
        self.assertEqual(check_strategy.check(KUHN, path), expected)

    def test_format_details(self):
        # Outcomes at inner nodes add up, commas are optional, numbers come in every form, names with quotes, sets
        # with equal names, no space where none is needed, a constant sum of 10.
        game = self.put(
            "x.efg",
            'EFG 2 D "t \\"x\\"" {"a" "b"}\n'
            'c "" 7 "" {"l" .25 "r" 75e-2} 1 "gift" {1 -1}\n'
            'p "" 1 1 "same" {"a,b" "say \\"x\\""} 0 t "" 2 "" {3, 7} t "" 3 "" { +1.0 9/1 }\n'
            'p "" 1 2 "same" { "x" "x" } 0 t "" 4 "" { 5 5 } p "" 2 1 "" { "only" } 0 t "" 2',
        )
        rows = ['1,same#1,"a,b",0.5', '1,same#1,"say ""x""",0.5', "1,same#2,x#1,1", "1,same#2,x#2,0", "2,#1,only,1"]
        result = self.check(rows, game)
        self.assertAlmostEqual(result["value"], 1 + 0.25 * 2 + 0.75 * 5, delta=1e-15)
        self.assertAlmostEqual(result["best_response"][0], 1 + 0.25 * 3 + 0.75 * 5, delta=1e-15)
        self.assertAlmostEqual(result["exploitability"], 0.25 / 2, delta=1e-15)

    def test_wrong_strategies(self):
        rows = kuhn_rows(kuhn_equilibrium(0.1))
        self.refused(rows[1:], "has no row")
        self.refused(rows + rows[:1], ":26: a second row")
        self.refused(rows + ["1,X:,bet,1"], ":26: player 1 has no information set 'X:'")
        self.refused(["1,J:,raise,1"], ":2: information set 'J:' has no action 'raise'")
        self.refused(["1,J:,bet,nan"], "not a number from 0 to 1")
        self.refused(["1,J:,bet,-0.1"], "not a number from 0 to 1")
        self.refused(["3,J:,bet,1"], ":2: expected player")
        self.refused(["1,J:,check,0.9", "1,J:,bet,0.2"] + rows[2:], "the sum is 1.1")

    def test_wrong_games(self):
        def game(body):
            return self.put("x.efg", 'EFG 2 R "" { "a" "b" }\n' + body)

        self.refused([], "not constant-sum", game('p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 1 } t "" 2 "" { 0 0 }'))
        self.refused([], "sum to 1/2", game('c "" 1 "" { "l" 1/2 } 0 t "" 1 "" { 0 0 }'))
        self.refused([], ":2: found '', expected a word", game('p "" 1 1 "" { "l" "r" } 0 t "" 1 "" { 1 1 }'))
        self.refused([], ":2: outcome 1 is used before", game('t "" 1'))
        self.refused([], ":2: a string without", game('t "'))
        forgetful = game(
            'p "" 1 1 "" { "l" "r" } 0 p "" 1 2 "s" { "l" } 0 t "" 1 "" { 0 0 } p "" 1 2 0 t "" 1'
        )
        self.refused(["1,#1,l,1", "1,#1,r,0", "1,s,l,1"], "forgets a move", forgetful)

    def test_command_line(self):
        path = self.put("x.csv", HEADER + "\n".join(kuhn_rows(kuhn_equilibrium(0.1))))
        program = [sys.executable, os.path.join(HERE, "check_strategy.py")]
        done = subprocess.run(program + [KUHN, path], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r'^\{"value": -0\.0555.*"best_response": \[.*\], "exploitability": .*\}\n$')
        failed = subprocess.run(program + [KUHN, path + ".none"], capture_output=True, text=True)
        self.assertEqual((failed.returncode, failed.stdout), (2, ""))
        self.assertIn("x.csv.none", failed.stderr)


if __name__ == "__main__":
    unittest.main()
