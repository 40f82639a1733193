#!/usr/bin/env python3
"""Hold'em spots: solved, saved, evaluated, looked at, interrupted, killed and refused.

CLEAVE_KILLS is how often a run is killed (5; the full tests take 50).
"""
import collections
import csv
import itertools
import json
import os
import pty
import random
import re
import signal
import subprocess
import time

from support import CLEAVE, PATIENCE, SOURCE, Cli, end, main, wait_until

KILLS = int(os.environ.get("CLEAVE_KILLS", "5"))
EXAMPLES = os.path.join(SOURCE, "examples")
ESCAPE = re.compile(r"\x1b\[[0-9;]*m")

TURN = """\
board = "Td9d6hQc"
pot = 200
stack = 400

[range]
oop = "AA,JJ,AKs,KQs,QJs,T8s,76s"
ip = "KK,TT-88,AQs,KJs,QTs,87s:0.5,65s"

[sizes]
bet = "75%,a"
raise = "a"
"""
RIVER = """\
board = "Td9d6hQc2s"
pot = 100
stack = [250, 300]

[range]
oop = "AA,QQ,AKs,KJs,T9s:0.5,54s"
ip = "KK,JJ,AQs,87s,76s:0.25,AhTh"

[river]
bet = "50%,a"
raise = "2.5x,a"
"""
LOCKED = TURN + """
[[lock]]
node = "check"
strategy = { check = 0.25, "bet 150" = 0.75 }

[[lock]]
node = "check"
hands = "KK"
strategy = "allin 400"
"""


class Spot(Cli):
    def setUp(self):
        super().setUp()
        self.put("turn.toml", TURN)
        self.put("river.toml", RIVER)

    def solve(self, spot, *args):
        return self.json("solve", spot, *args)


class Solve(Spot):
    def test_keys(self):
        result = self.solve("turn.toml", "--out", "x.h5", "--checkpoint", "x.ckpt")
        keys = {"game", "algorithm", "iterations", "seconds", "exploitability", "exploitability_percent", "value",
                "values", "best_response", "infosets", "histories", "pot", "memory_bytes", "storage", "stopped",
                "threads", "target", "strategy", "history", "checkpoint"}  # fmt: skip
        self.assertLessEqual(keys, result.keys())
        self.assertEqual((result["game"], result["pot"], result["storage"]), ("turn.toml", 200, "f32"))
        # Stops at a tenth of a percent of the pot unless told otherwise.
        self.assertEqual((result["stopped"], result["target"]), ("target", 0.2))
        self.assertLessEqual(result["exploitability"], 0.2)
        self.assertAlmostEqual(result["exploitability_percent"], result["exploitability"] / 2, delta=1e-12)
        self.assertAlmostEqual(sum(result["best_response"]) - 200, 2 * result["exploitability"], delta=1e-9)
        self.assertEqual(result["values"][0], result["value"])
        self.assertAlmostEqual(sum(result["values"]), 200, delta=1e-9)
        for value, best in zip(result["values"], result["best_response"]):
            self.assertLess(value, best + 1e-9)

    def test_targets(self):
        coarse = self.solve("turn.toml", "--target", "2%")
        self.assertEqual((coarse["stopped"], coarse["target"]), ("target", 4))
        fine = self.solve("turn.toml", "--target", "0.5")
        self.assertEqual((fine["stopped"], fine["target"]), ("target", 0.5))
        self.assertLess(coarse["iterations"], fine["iterations"])
        for found, most in ((coarse, 4), (fine, 0.5)):
            self.assertLessEqual(found["exploitability"], most)
        self.assertEqual(self.solve("turn.toml", "--iterations", "7")["iterations"], 7)
        self.assertEqual(self.solve("turn.toml", "--seconds", "0.1")["stopped"], "seconds")
        for text in ("0%", "-1%", "x%", "%", "0.1%%", "0,1%", "nan%", "inf%", "0"):
            self.refused("solve", "turn.toml", f"--target={text}", says="--target")
        self.refused("solve", "leduc", "--target", "0.1%", says=["--target 0.1%", "leduc", "chips"])

    def test_rake_takes_from_the_pot(self):
        self.put("raked.toml", TURN + '\n[rake]\npercent = 5\ncap = 30\n')
        result = self.solve("raked.toml", "--target", "0.2%")
        self.assertLess(sum(result["values"]), 200 * 0.96)
        self.assertGreater(sum(result["values"]), 200 - 30)
        found = self.solve("raked.toml", "--target", "0.2%", "--storage", "f64")
        self.assertAlmostEqual(found["value"], result["value"], delta=0.5)

    def test_storages(self):
        results = {name: self.solve("turn.toml", "--storage", name, "--target", "0.1%", "--out", f"{name}.h5")
                   for name in ("f32", "i16", "f64")}  # fmt: skip
        for name, result in results.items():
            self.assertEqual((result["storage"], result["stopped"]), (name, "target"))
            self.assertAlmostEqual(result["value"], results["f64"]["value"], delta=0.2)
            self.assertAlmostEqual(self.json("evaluate", "turn.toml", f"{name}.h5")["exploitability"],
                                   result["exploitability"], delta=1e-4)  # fmt: skip
        self.assertLess(results["i16"]["memory_bytes"], 0.7 * results["f32"]["memory_bytes"])
        self.assertLess(results["f32"]["memory_bytes"], 0.7 * results["f64"]["memory_bytes"])
        self.assertLess(len(self.read("i16.h5")), 0.6 * len(self.read("f32.h5")))
        self.refused("solve", "leduc", "--storage", "f32", says="--storage f32")
        self.refused("solve", "turn.toml", "--storage", "f16", says=["f16", "i16"])

    def test_algorithms(self):
        for name in ("cfr", "cfr+", "lcfr", "dcfr", "pcfr+", "hs-dcfr(horizon=200)", "hs-pcfr+(horizon=200)"):
            with self.subTest(name):
                result = self.solve("river.toml", "--algorithm", name, "--target", "2%", "--iterations", "5000")
                self.assertEqual((result["algorithm"], result["stopped"]), (name, "target"))
        for name in ("lp", "external-sampling", "nothing"):
            self.refused("solve", "river.toml", "--algorithm", name, says=[name, "dcfr"])
        predicting = self.solve("turn.toml", "--algorithm", "pcfr+", "--iterations", "1")
        plain = self.solve("turn.toml", "--algorithm", "cfr+", "--iterations", "1")
        self.assertGreater(predicting["memory_bytes"], 1.2 * plain["memory_bytes"])

    def test_text(self):
        code, out, err = self.run_any("solve", "turn.toml", "--out", "x.h5")
        self.assertEqual((code, err), (0, ""))
        self.assert_fits(out)
        self.assertRegex(out, r"exploitability +[\d.]+ chips \([\d.]+% of the pot\)")
        self.assertRegex(out, r"value +[\d.]+ chips to OOP \([\d.]+% of the pot\)\n +[\d.]+ chips to IP")
        self.assertRegex(out, r"stopped +target of 0.2 chips \(0.1% of the pot\) reached")
        self.assertRegex(out, r"board +Td9d6h Qc\n")

    def test_progress(self):
        process, shown = self.start_on_terminal("solve", "turn.toml", "--target", "1e-9", "--seconds", "3000",
                                                until=lambda text: text.count(" left") > 2, patience=30)  # fmt: skip
        process.kill()
        process.wait()
        drawn = shown.split("\r\x1b[K")
        line = r"[\d,]+ it  exploitability \S+ chips, \S+% of pot  [\d.]+ [KM]iB  [\d.,]+/s  [\d.]+ \S+  \d.* left"
        self.assertTrue(any(re.fullmatch(line, text) for text in drawn), drawn[:9])
        for text in drawn:
            self.assert_fits(text)


class Files(Spot):
    def test_threads_do_not_matter(self):
        for storage in ("f32", "i16"):
            args = ("--storage", storage, "--iterations", "60")
            one = self.solve("turn.toml", *args, "--threads", "1", "--out", "1.h5")
            two = self.solve("turn.toml", *args, "--threads", "2", "--out", "2.h5")
            self.assertEqual(self.read("1.h5"), self.read("2.h5"))
            self.assertEqual((one["value"], one["exploitability"]), (two["value"], two["exploitability"]))

    def test_evaluate_is_what_solve_said(self):
        for spot in ("turn.toml", "river.toml"):
            result = self.solve(spot, "--target", "0.5%", "--out", "x.h5", "--checkpoint", f"{spot}.ckpt")
            for file in ("x.h5", f"{spot}.ckpt"):
                found = self.json("evaluate", spot, file)
                for key in ("value", "values", "best_response", "exploitability", "exploitability_percent", "pot",
                            "infosets", "histories"):  # fmt: skip
                    self.assertEqual(found[key], result[key], key)
        text = self.cleave("evaluate", "river.toml", "x.h5")
        self.assert_fits(text)
        self.assertIn("% of the pot", text)

    def test_of_another_spot(self):
        self.solve("turn.toml", "--iterations", "5", "--out", "x.h5")
        self.refused("evaluate", "river.toml", "x.h5", says="x.h5: of another spot than river")
        for change in (("QJs", "QJo"), ("stack = 400", "stack = 401"), ("75%", "76%"), ("pot = 200", "pot = 202"),
                       ("Qc", "Qh"), ("87s:0.5", "87s:0.25")):  # fmt: skip
            self.put("other.toml", TURN.replace(*change))
            self.refused("evaluate", "other.toml", "x.h5", says="x.h5: of another spot than other")
        self.cleave("solve", "leduc", "--iterations", "5", "--out", "leduc.h5")
        self.refused("evaluate", "turn.toml", "leduc.h5", says="leduc.h5: not a solution of a spot")
        self.refused("evaluate", "leduc", "x.h5", says="x.h5")
        self.refused("show", "leduc.h5", says="leduc.h5: not a solution of a spot")
        self.refused("evaluate", "turn.toml", "none.h5", says="none.h5.*No such file")
        whole = self.read("x.h5")
        self.put("cut.h5", whole[:-9])
        self.refused("show", "cut.h5", says="cut.h5")
        self.put("bad.h5", whole[:3000] + bytes([whole[3000] ^ 1]) + whole[3001:])
        self.refused("show", "bad.h5", says="bad.h5")

    def test_csv(self):
        result = self.solve("turn.toml", "--iterations", "20", "--out", "x.csv")
        with open(self.path("x.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(list(rows[0]), ["player", "infoset", "action", "probability"])
        sums, actions = collections.Counter(), collections.defaultdict(list)
        for row in rows:
            key = row["player"], row["infoset"]
            sums[key] += float(row["probability"])
            actions[key].append(row["action"])
        self.assertEqual(len(sums), result["infosets"])
        for key, total in sums.items():
            self.assertAlmostEqual(total, 1, delta=1e-5, msg=key)
        self.assertEqual(actions["1", "|AsAh"], ["check", "bet 150", "allin 400"])
        # The same line names the same node in show.
        self.solve("turn.toml", "--iterations", "20", "--out", "x.h5")
        line, hand = "bet 150/call/2c", "KhKd"
        view = self.json("show", "x.h5", "--node", line + "/check", "--hand", hand)
        strategy = view["players"][1]["hands"][0]["strategy"]
        for row in rows:
            if (row["player"], row["infoset"]) == ("2", f"{line}/check|{hand}"):
                self.assertAlmostEqual(strategy.pop(row["action"]), float(row["probability"]), delta=1e-6)
        self.assertEqual(strategy, {})

    def test_too_much_for_csv(self):
        self.refused("solve", os.path.join(EXAMPLES, "spots", "flop.toml"), "--out", "x.csv",
                     says=[r"x\.csv: would have [\d,]+ rows", "5,000,000", r"\.h5"])  # fmt: skip
        self.assertNotIn("x.csv", self.files())

    def test_history(self):
        result = self.solve("turn.toml", "--target", "1%", "--out", "x.h5")
        with open(self.path("x.history.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(float(rows[-1]["exploitability"]), result["exploitability"])
        self.assertEqual(int(rows[-1]["iteration"]), result["iterations"])
        self.cleave("plot", "x.history.csv", "--out", "x.png")

    def test_info(self):
        result, info = self.solve("turn.toml", "--iterations", "1"), self.json("info", "turn.toml")
        for key in ("infosets", "histories", "memory_bytes", "pot"):
            self.assertEqual(info[key], result[key])
        # By hand: AA JJ (6 each), AKs, KQs less Qc, QJs less Qc, T8s less Td, 76s less 6h.
        self.assertEqual(info["hands"][0], 6 + 6 + 4 + 3 + 3 + 3 + 3)
        self.assertEqual(info["combos"][0], 28)
        # KK; TT, 99, 88 of 3, 3, 6; AQs, KJs, QTs less Qc and Td; 87s at half weight; 65s less 6h.
        self.assertEqual(info["hands"][1], 6 + 3 + 3 + 6 + 3 + 4 + 2 + 4 + 3)
        self.assertEqual(info["combos"][1], 32)
        turn, river = info["streets"]
        self.assertEqual((turn["name"], turn["boards"], river["name"]), ("turn", 1, "river"))
        self.assertEqual((river["boards"], river["boards_dealt"]), (48, 48))
        # A rainbow flop: the fourth suit is like no other, but on a monotone one three suits are alike.
        self.put("monotone.toml", TURN.replace("Td9d6hQc", "Td9d6dQd"))
        merged = self.json("info", "monotone.toml")["streets"][1]
        self.assertEqual((merged["boards"], merged["boards_dealt"]), (9 + 13, 48))
        self.assertEqual((info["fits"], info["exact"], info["perfect_recall"]), (True, True, True))
        self.assertLess(info["memory"]["i16"], info["memory"]["f32"])
        self.assert_fits(self.cleave("info", "turn.toml"))

    def test_info_counts_what_the_csv_lists(self):
        info = self.json("info", "river.toml")
        self.solve("river.toml", "--iterations", "1", "--out", "x.csv")
        lines = self.text("x.csv").splitlines()[1:]
        self.assertEqual(len(lines), info["infoset_actions"])
        nodes = {line.split(",")[1].rsplit("|", 1)[0] for line in lines}
        self.assertEqual(len(nodes), info["streets"][0]["decisions"])


class Brute:
    """A river spot evaluated from its CSV by the rules of poker alone."""

    def __init__(self, text, board, pot, stacks, ranges):
        self.pot, self.stacks, self.ranges = pot, stacks, ranges
        self.strategy = collections.defaultdict(dict)
        for row in csv.DictReader(text.splitlines()):
            line, hand = row["infoset"].split("|")
            self.strategy[int(row["player"]) - 1, line, hand][row["action"]] = float(row["probability"])
        self.actions = {}  # line: (player, actions)
        for (player, line, _), mix in self.strategy.items():
            self.actions[line] = player, list(mix)
        self.rank = {hand: rank(board + hand) for side in ranges for hand in side}
        self.total = sum(a * b for (h, a), (g, b) in itertools.product(ranges[0].items(), ranges[1].items())
                         if not share(h, g))  # fmt: skip

    def walk(self, player, mine, line, put, reach, best):
        """Value of my hand at a line, times the reach of the other's hands that go with it."""
        if line in self.actions:
            actor, actions = self.actions[line]
            values = []
            for action in actions:
                after = reach
                if actor != player:
                    after = {h: w * self.strategy[actor, line, h][action] for h, w in reach.items()}
                values.append(self.walk(player, mine, f"{line}/{action}".lstrip("/"), paid(put, actor, action), after, best))
            if actor != player:
                return sum(values)
            mix = self.strategy[player, line, mine]
            return max(values) if best else sum(mix[a] * v for a, v in zip(actions, values))
        last = line.split("/")[-1]
        if last == "fold":
            before = line[: -len("/fold")]
            folded = self.actions[before][0]
            won = -put[player] if folded == player else self.pot + put[1 - player]
            return sum(w * won for h, w in reach.items())
        matched = min(put)  # what is not called goes back
        value = 0
        for hand, weight in reach.items():
            if self.rank[mine] == self.rank[hand]:
                value += weight * self.pot / 2
            else:
                value += weight * (self.pot + matched if self.rank[mine] > self.rank[hand] else -matched)
        return value

    def value(self, player, best):
        total = 0
        for hand, weight in self.ranges[player].items():
            reach = {h: w for h, w in self.ranges[1 - player].items() if not share(h, hand)}
            total += weight * self.walk(player, hand, "", [0, 0], reach, best)
        return total / self.total


def share(a, b):
    return a[:2] in (b[:2], b[2:]) or a[2:] in (b[:2], b[2:])


def paid(put, player, action):
    put = list(put)
    kind, _, to = action.partition(" ")
    if kind == "call":
        put[player] = put[1 - player]
    elif to:
        put[player] = int(to)
    return put


def rank(cards):
    """The best five of seven, as a tuple that compares."""
    cards = [("23456789TJQKA".index(cards[i]), cards[i + 1]) for i in range(0, len(cards), 2)]
    return max(five(c) for c in itertools.combinations(cards, 5))


def five(cards):
    counts = sorted(collections.Counter(r for r, _ in cards).items(), key=lambda x: (-x[1], -x[0]))
    shape, ranks = [n for _, n in counts], [r for r, _ in counts]
    flush = len({s for _, s in cards}) == 1
    if ranks == [12, 3, 2, 1, 0]:
        ranks = [3, 2, 1, 0, -1]
    straight = len(ranks) == 5 and ranks[0] - ranks[4] == 4
    order = [[1, 1, 1, 1, 1], [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], None, None, [3, 2], [4, 1]]
    kind = 8 if straight and flush else 5 if flush else 4 if straight else order.index(shape)
    return kind, ranks


class Independent(Spot):
    """Nothing of ours but the CSV: value and exploitability are what the rules of poker say they are."""

    def test_a_river(self):
        result = self.solve("river.toml", "--storage", "f64", "--iterations", "300", "--out", "x.csv")
        self.solve("river.toml", "--storage", "f64", "--iterations", "300", "--out", "x.h5")
        ranges = [{h["hand"]: h["range"] for h in p["hands"]} for p in self.json("show", "x.h5")["players"]]
        brute = Brute(self.text("x.csv"), "Td9d6hQc2s", 100, [250, 300], ranges)
        for player in range(2):
            # A share of the pot, counted as what is won of it less what is paid.
            self.assertAlmostEqual(brute.value(player, False), result["values"][player], delta=1e-6)
            self.assertAlmostEqual(brute.value(player, True), result["best_response"][player], delta=1e-6)


class Show(Spot):
    def setUp(self):
        super().setUp()
        self.solve("turn.toml", "--target", "0.5%", "--out", "x.h5")

    def on_terminal(self, *args, **variables):
        """What the program writes to a terminal as standard output."""
        master, slave = pty.openpty()
        environment = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLORTERM")}
        process = subprocess.Popen([CLEAVE, *args], cwd=self.folder, stdout=slave, stderr=subprocess.PIPE,
                                   env={**environment, "TERM": "xterm-256color", **variables})  # fmt: skip
        self.addCleanup(end, process)
        os.close(slave)
        shown = b""
        try:
            while more := os.read(master, 65536):
                shown += more
        except OSError:  # the other end is closed
            pass
        os.close(master)
        self.assertEqual(process.wait(), 0)
        return shown.decode().replace("\r\n", "\n")

    def test_grid(self):
        for node in ("", "check", "check/bet 150", "bet 150/call/2c", "bet 150/call/As/check"):
            with self.subTest(node):
                text = self.cleave("show", "x.h5", "--node", node)
                self.assert_fits(text)
                self.assertNotIn("\x1b", text)
                shares = [float(x) for x in re.findall(r"^[a-z0-9] \S.* ([\d.]+)% +[\d.]+ combos$", text, re.M)]
                self.assertGreaterEqual(len(shares), 2)
                self.assertAlmostEqual(sum(shares), 100, delta=0.25)
                grid = text.rstrip("\n").split("\n")[-13:]
                self.assertEqual("".join(line[0] for line in grid), "AKQJT98765432")
                cells = {(i, j): line[3 + 7 * j : 9 + 7 * j] for i, line in enumerate(grid) for j in range(13)}
                for place, cell in cells.items():
                    self.assertTrue(cell.strip() == "" or re.fullmatch("[a-z0-9]{6}", cell), (place, cell))
                view = self.json("show", "x.h5", "--node", node)
                side = view["players"][view["player"] == "IP"]
                kinds = {kind(h["hand"]) for h in side["hands"] if h["reach"] > 0.01}
                shown = {place for place, cell in cells.items() if cell.strip()}
                self.assertLessEqual(kinds, shown)
                self.assertLessEqual(shown, {kind(h["hand"]) for h in side["hands"]})

    def test_cells_are_the_mix(self):
        text = self.cleave("show", "x.h5", "--node", "check")
        view = self.json("show", "x.h5", "--node", "check")
        hands = [h for h in view["players"][1]["hands"] if kind(h["hand"]) == kind("QhTh")]
        line = text.rstrip("\n").split("\n")[-13:][2]
        cell = line[3 + 7 * 4 : 9 + 7 * 4]
        reach = sum(h["reach"] for h in hands)
        letters = {"check": "x", "bet 150": "1", "allin 400": "a"}
        for action, letter in letters.items():
            mix = sum(h["reach"] * h["strategy"][action] for h in hands) / reach
            self.assertAlmostEqual(cell.count(letter) / 6, mix, delta=0.17)

    def test_numbers_fit_together(self):
        for node in ("", "check", "bet 150", "check/check/2c", "bet 150/call/7h/check/allin 250"):
            with self.subTest(node):
                view = self.json("show", "x.h5", "--node", node)
                one, two = view["players"]
                self.assertAlmostEqual(one["equity"] + two["equity"], 1, delta=1e-5)
                self.assertAlmostEqual(one["ev"] + two["ev"], view["pot"], delta=1e-3)
                self.assertAlmostEqual(sum(view["frequencies"].values()), 1, delta=1e-5)
                acting = view["players"][view["player"] == "IP"]
                for hand in acting["hands"]:
                    self.assertAlmostEqual(sum(hand["strategy"].values()), 1, delta=1e-5)
                for side in view["players"]:
                    self.assertAlmostEqual(sum(h["reach"] for h in side["hands"]), side["combos"], delta=1e-6)
                    weight = sum(h["weight"] for h in side["hands"])
                    for name in ("ev", "equity", "best_response"):
                        mean = sum(h["weight"] * h[name] for h in side["hands"]) / weight
                        self.assertAlmostEqual(mean, side[name], delta=1e-6)
                    self.assertGreaterEqual(side["best_response"], side["ev"] - 1e-4)
                for action, frequency in view["frequencies"].items():
                    weight = sum(h["weight"] for h in acting["hands"])
                    mean = sum(h["weight"] * h["strategy"][action] for h in acting["hands"]) / weight
                    self.assertAlmostEqual(mean, frequency, delta=1e-6)
        root, result = self.json("show", "x.h5"), self.json("evaluate", "turn.toml", "x.h5")
        for side, value, best in zip(root["players"], result["values"], result["best_response"]):
            self.assertAlmostEqual(side["ev"], value, delta=1e-3)
            self.assertAlmostEqual(side["best_response"], best, delta=1e-3)

    def test_colours(self):
        plain = self.cleave("show", "x.h5")
        for variables, code in (({"COLORTERM": "truecolor"}, "\x1b[38;2;"), ({}, "\x1b[38;5;")):
            shown = self.on_terminal("show", "x.h5", **variables)
            self.assertIn(code, shown)
            bare = ESCAPE.sub("", shown)
            self.assertNotIn("\x1b", bare)
            self.assert_fits(bare)
            for name in ("AA", "AKs", "QJs", "76s"):
                self.assertIn(name, bare)
            self.assertNotIn("72o", bare)
            for line in shown.split("\n"):
                self.assertTrue(not ESCAPE.search(line) or ESCAPE.findall(line)[-1] == "\x1b[0m", line)
        self.assertEqual(self.on_terminal("show", "x.h5", NO_COLOR="1"), plain)
        self.assertEqual(self.on_terminal("show", "x.h5", TERM="dumb"), plain)
        for player in ("oop", "ip"):
            bare = ESCAPE.sub("", self.on_terminal("show", "x.h5", "--player", player))
            self.assert_fits(bare)

    def test_hand(self):
        text = self.cleave("show", "x.h5", "--hand", "AKs")
        self.assert_fits(text)
        self.assertEqual(len(re.findall(r"^A([cdhs])K\1  1.000  1.000 ", text, re.M)), 4)
        header = next(line for line in text.splitlines() if line.startswith("hand "))
        for name in ("range", "reach", "equity", "EV", "realised", "best response", "check", "bet 150", "allin 400"):
            self.assertIn(name, header)
        one = self.json("show", "x.h5", "--hand", "AhKh")["players"]
        self.assertEqual(([h["hand"] for h in one[0]["hands"]], one[1]["hands"]), (["AhKh"], []))
        other = self.json("show", "x.h5", "--hand", "KhKd", "--player", "ip")["players"]
        self.assertEqual([h["hand"] for h in other[1]["hands"]], ["KhKd"])
        self.refused("show", "x.h5", "--hand", "72o", says=["--hand 72o: OOP has no such hand", "allowed are .*AA"])
        self.refused("show", "x.h5", "--hand", "TdTh", "--player", "ip", says=["IP has no such hand", "KK"])
        self.refused("show", "x.h5", "--hand", "AhKx", says=["--hand", "character"])

    def test_other_player(self):
        text = self.cleave("show", "x.h5", "--player", "ip")
        self.assert_fits(text)
        self.assertIn("Equity of IP's hands", text)
        self.assertRegex(text, r"(?m)^K .* \d+%")
        self.refused("show", "x.h5", "--player", "me", says=["me", "oop"])

    def test_deal(self):
        text = self.cleave("show", "x.h5", "--node", "check/check")
        self.assert_fits(text)
        self.assertEqual(len(re.findall(r"^[2-9TJQKA][cdhs]  ", text, re.M)), 48)
        self.assertIn("--node 'check/check/", text)
        view = self.json("show", "x.h5", "--node", "check/check")
        self.assertEqual((view["kind"], len(view["runouts"])), ("deal", 48))
        for runout in view["runouts"]:
            self.assertAlmostEqual(sum(runout["frequencies"].values()), 1, delta=1e-5)
            self.assertAlmostEqual(sum(runout["ev"]), view["pot"], delta=1e-3)
        two = next(r for r in view["runouts"] if r["cards"] == ["2c"])
        self.assertEqual(two["frequencies"], self.json("show", "x.h5", "--node", "check/check/2c")["frequencies"])

    def test_symmetric_cards_share_a_row(self):
        self.put("monotone.toml", TURN.replace("Td9d6hQc", "Td9d6dQd"))
        self.solve("monotone.toml", "--iterations", "20", "--out", "m.h5")
        runouts = self.json("show", "m.h5", "--node", "check/check")["runouts"]
        self.assertEqual(sorted(len(r["cards"]) for r in runouts), [1] * 9 + [3] * 13)
        self.assertEqual(sorted(c for r in runouts for c in r["cards"]),
                         sorted(r + s for r in "23456789TJQKA" for s in "cdhs" if r + s not in ("Td", "9d", "6d", "Qd")))  # fmt: skip
        # The same by another name: hands are renamed with the card.
        clubs = self.json("show", "m.h5", "--node", "check/check/2c")
        hearts = self.json("show", "m.h5", "--node", "check/check/2h")
        self.assertEqual(clubs["frequencies"], hearts["frequencies"])
        swap = str.maketrans("ch", "hc")
        swapped = lambda hand: "".join(sorted((hand[:2].translate(swap), hand[2:].translate(swap))))
        values = {swapped(h["hand"]): h["ev"] for h in clubs["players"][0]["hands"]}
        self.assertEqual({"".join(sorted((h["hand"][:2], h["hand"][2:]))): h["ev"] for h in hearts["players"][0]["hands"]},
                         values)  # fmt: skip

    def test_ends(self):
        for node, kind_of in (("bet 150/fold", "fold"), ("allin 400/call", "showdown")):
            view = self.json("show", "x.h5", "--node", node)
            self.assertEqual(view["kind"], kind_of)
            self.assertNotIn("frequencies", view)
            self.assert_fits(self.cleave("show", "x.h5", "--node", node))
        self.assertAlmostEqual(self.json("show", "x.h5", "--node", "bet 150/fold")["players"][1]["ev"], 0, delta=1e-3)

    def test_nodes_that_are_not_there(self):
        for node, says in (
            ("bet 151", ["'bet 151'", "allowed are check, bet 150, allin 400"]),
            ("check/fold", ["'fold'", "allowed are check, bet 150, allin 400"]),
            ("check/check/Td", ["'Td'", "a card that is not out yet"]),
            ("check/check/1x", ["'1x'", "a card"]),
            ("check/check/2c3c", ["'2c3c'", "a card"]),
            ("bet 150/fold/check", ["'check'", "the hand is over"]),
        ):
            self.refused("show", "x.h5", "--node", node, says=says)
        self.refused("show", "none.h5", says="none.h5.*No such file")


def kind(hand):
    """(row, column) of a hand in the grid."""
    a, b = ("AKQJT98765432".index(hand[i]) for i in (0, 2))
    low, high = min(a, b), max(a, b)
    return (low, high) if hand[1] == hand[3] else (high, low)


class Locks(Spot):
    def test_locked_frequencies(self):
        self.put("locked.toml", LOCKED)
        free = self.solve("turn.toml", "--target", "0.2%")
        result = self.solve("locked.toml", "--iterations", "300", "--out", "x.h5")
        # Whoever is locked is worth less, and the other more.
        self.assertLess(result["values"][1], free["values"][1] - 1)
        hands = self.json("show", "x.h5", "--node", "check")["players"][1]["hands"]
        for hand in hands:
            mix = hand["strategy"]
            expected = (0, 0, 1) if hand["hand"][::2] == "KK" else (0.25, 0.75, 0)
            for found, wanted in zip((mix["check"], mix["bet 150"], mix["allin 400"]), expected):
                self.assertAlmostEqual(found, wanted, delta=1e-5)
        self.refused("evaluate", "turn.toml", "x.h5", says="of another spot")

    def test_locks_that_do_not_fit(self):
        for old, new, says in (
            ('node = "check"\nstrategy', 'node = "call"\nstrategy', [r"x\.toml:\d+", "'call'", "check, bet 150"]),
            ('"bet 150" = 0.75', '"bet 151" = 0.75', [r"x\.toml:\d+", "bet 151", "bet 150"]),
            ("check = 0.25", "check = 0.5", [r"x\.toml:\d+", "1"]),
            ('node = "check"\nstrategy', 'node = "check/check"\nstrategy', [r"x\.toml:\d+", "nobody acts"]),
        ):
            self.assertIn(old, LOCKED)
            self.put("x.toml", LOCKED.replace(old, new))
            self.refused("solve", "x.toml", says=says)

    def test_removed_lines(self):
        self.put("x.toml", TURN + '\n[tree]\nremove = ["check/allin 400"]\n')
        self.solve("x.toml", "--iterations", "5", "--out", "x.h5")
        self.assertEqual(list(self.json("show", "x.h5", "--node", "check")["frequencies"]), ["check", "bet 150"])


class Contradictions(Spot):
    def test_each_is_one_line(self):
        for old, new, says in (
            ('"Td9d6hQc"', '"Td9d6hTd"', r"x\.toml:1: board.*Td.*twice"),
            ('"Td9d6hQc"', '"Td9d"', r"x\.toml:1: board.*2 cards.*3.*4.*5"),
            ('"Td9d6hQc"', '"Td9d6hQx"', r"x\.toml:1: board"),
            ("AA,JJ,AKs,KQs,QJs,T8s,76s", "Td9d,Qc6h", r"x\.toml:6: range\.oop has no hand"),
            ("AA,JJ,AKs,KQs,QJs,T8s,76s", "", r"x\.toml:6: range\.oop"),
            ("AA,JJ,AKs,KQs,QJs,T8s,76s", "AA,XX", r"x\.toml:6: range\.oop: character 4"),
            ("pot = 200", "pot = 0", r"x\.toml:2: pot is 0"),
            ("pot = 200", "pot = -7", r"x\.toml:2: pot is -7"),
            ("pot = 200", "", r"x\.toml.*pot"),
            ("stack = 400", "stack = 0", r"x\.toml:3: stack is 0"),
            ("stack = 400", "stack = -7", r"x\.toml:3: stack is -7"),
            ("stack = 400", 'stack = "400"', r"x\.toml:3: stack"),
            ('bet = "75%,a"', 'bet = "401"', r"x\.toml:10: .*401"),
            ('bet = "75%,a"', 'bet = "75"\n[tree]\nmin_bet = 100\n[flop]', r"x\.toml:\d+: .*75"),
            ('raise = "a"', 'raise = "1.5x"', r"x\.toml:11: .*1\.5x.*minimum raise"),
            ('raise = "a"', 'rise = "a"', r"x\.toml:11: .*rise.*raise"),
            ("pot = 200", "pot = ", r"x\.toml:2: not TOML"),
        ):
            with self.subTest(new):
                self.assertIn(old, TURN)
                self.put("x.toml", TURN.replace(old, new))
                for command in ("solve", "info"):
                    self.refused(command, "x.toml", says=says)
        self.put("x.toml", TURN.replace("AA,JJ,AKs,KQs,QJs,T8s,76s", "AhAs").replace("KK,TT-88", "AhAs")
                 .replace(",AQs,KJs,QTs,87s:0.5,65s", ""))  # fmt: skip
        self.refused("solve", "x.toml", says=r"x\.toml:\d+: every hand of range\.oop shares a card")
        self.refused("solve", "none.toml", says="none.toml.*No such file")
        self.refused("solve", "turn.toml", "--show", "5", says=["--show", "cleave show"])

    def test_too_large(self):
        sizes = '"10%,20%,33%,50%,66%,75%,100%,150%,200%,a"'
        self.put("x.toml", TURN.replace('"Td9d6hQc"', '"Td9d6h"').replace("stack = 400", "stack = 20000")
                 .replace('"75%,a"', sizes).replace('raise = "a"', 'raise = "50%,100%,a"\nmax_raises = 4')
                 .replace("AA,JJ,", "22+,").replace("KK,TT-88,", "22+,A2s+,K2s+,A2o+,"))  # fmt: skip
        process = subprocess.Popen([CLEAVE, "solve", "x.toml"], cwd=self.folder, stderr=subprocess.PIPE)
        err = process.stderr.read().decode()
        process.stderr.close()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, 2)
        self.assertRegex(err, r"\Acleave: x: needs [\d.]+ [GTP]iB of memory and [\d.]+ [GM]iB are free; use .*\n\Z")
        self.assertLess(usage.ru_maxrss, 2 << 20)  # kilobytes: what is planned with, not what is planned
        info = self.json("info", "x.toml")
        self.assertFalse(info["fits"])
        self.assertGreater(info["memory_bytes"], info["available_bytes"])
        self.assertIn("does not fit", self.cleave("info", "x.toml"))

    def test_whole_games(self):
        limit = os.path.join(EXAMPLES, "games", "holdem_limit.game")
        info = self.json("info", limit)
        self.assertEqual((info["exact"], info["fits"]), (False, False))
        self.assertEqual([s["boards_dealt"] for s in info["streets"]], [1, 22100, 22100 * 49, 22100 * 49 * 48])
        self.assert_fits(self.cleave("info", limit))
        self.refused("solve", limit, says=r"holdem_limit: needs at least [\d.]+ TiB of memory")
        self.refused("solve", limit, "--target", "1%", says="--target 1%")
        self.refused("info", os.path.join(EXAMPLES, "games", "holdem_nolimit.game"), says="betting tree has more than")
        # Small ones are games like any other.
        leduc = os.path.join(EXAMPLES, "games", "leduc.game")
        self.assertEqual(self.json("info", leduc)["infosets"], 936)
        self.assertAlmostEqual(self.json("solve", leduc, "--target", "1e-4")["value"], -0.0856, delta=1e-3)


class Resume(Spot):
    ALGORITHMS = ("cfr", "cfr+", "dcfr(gamma=3)", "pcfr+", "hs-pcfr+(horizon=80)")

    def test_in_two_parts(self):
        for name, storage in itertools.product(self.ALGORITHMS, ("f32", "i16")):
            with self.subTest((name, storage)):
                args = ("--algorithm", name, "--storage", storage)
                file = f"{name}-{storage}.ckpt"
                self.solve("turn.toml", *args, "--iterations", "80", "--out", "whole.h5")
                first = self.solve("turn.toml", *args, "--iterations", "33", "--threads", "1", "--checkpoint", file)
                second = self.solve("turn.toml", "--checkpoint", file, "--resume", "--iterations", "80", "--threads",
                                    "2", "--out", "parts.h5")  # fmt: skip
                self.assertEqual(self.read("whole.h5"), self.read("parts.h5"))
                self.assertEqual((first["iterations"], second["iterations"]), (33, 80))
                self.assertEqual((second["algorithm"], second["storage"]), (name, storage))

    def test_refused(self):
        self.solve("turn.toml", "--iterations", "10", "--checkpoint", "good")
        resume = ("--checkpoint", "good", "--resume", "--iterations", "20")
        before = self.read("good")
        self.refused("solve", "turn.toml", "--checkpoint", "good", says="good.*already there.*--resume")
        self.refused("solve", "turn.toml", *resume, "--algorithm", "cfr+", says=["good: a checkpoint of algorithm", r"cfr\+"])
        self.refused("solve", "turn.toml", *resume, "--storage", "i16", says=["good: a checkpoint with --storage f32", "i16"])
        self.refused("solve", "river.toml", *resume, says="good: of another spot than river")
        self.refused("solve", "leduc", *resume, says="good: not a checkpoint")
        self.solve("turn.toml", "--iterations", "10", "--out", "x.h5")
        self.refused("solve", "turn.toml", "--checkpoint", "x.h5", "--resume", says=r"x\.h5: .*--checkpoint")
        self.assertEqual(self.read("good"), before)
        self.assertEqual(self.solve("turn.toml", *resume)["iterations"], 20)

    def test_interrupted(self):
        args = ("solve", "turn.toml", "--iterations", "1500", "--checkpoint", "x", "--out", "x.h5")
        self.solve("turn.toml", "--iterations", "1500", "--out", "whole.h5")
        process, shown = self.start_on_terminal(*args, until=lambda text: " it " in text)
        self.assertIn(" it ", shown)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0)
        self.assertIn("interrupted; continue with --checkpoint x --resume", out.decode())
        self.assertNotEqual(self.read("x.h5"), self.read("whole.h5"))
        self.assertGreater(self.json("evaluate", "turn.toml", "x.h5")["exploitability"], 0)
        self.json(*args, "--resume")
        self.assertEqual(self.read("x.h5"), self.read("whole.h5"))

    def test_interrupted_json(self):
        process = self.start("solve", "turn.toml", "--target", "1e-12", "--checkpoint", "x", "--json")
        wait_until(lambda: "x" in self.files(), "the first checkpoint")
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertEqual(json.loads(out)["stopped"], "interrupted")


class Killed(Spot):
    """Kill -9 at random moments of runs that write checkpoints all the time."""

    def test_same_bytes(self):
        solve = ("solve", "turn.toml", "--iterations", "300", "--checkpoint-every", "0", "--quiet")
        started = time.monotonic()
        self.cleave(*solve, "--checkpoint", "whole.ckpt", "--out", "whole.h5")
        duration = time.monotonic() - started
        whole = self.read("whole.h5")
        moments = random.Random(4)
        kills = 0
        for attempt in range(10 * KILLS):
            files = ("--checkpoint", f"{attempt}.ckpt", "--out", f"{attempt}.h5")
            process = self.start(*solve, *files, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(moments.uniform(0, duration))
            process.kill()
            end(process)
            if process.returncode == 0:
                continue  # it was done before
            kills += 1
            code, _, err = self.run_any(*solve, *files, "--resume")
            self.assertEqual(code, 0, f"kill {kills}: {err}")
            self.assertEqual(self.read(f"{attempt}.h5"), whole, f"kill {kills}")
            for name in self.files():
                if not name.startswith(("whole", "turn", "river")):
                    os.remove(self.path(name))
            if kills == KILLS:
                break
        self.assertEqual(kills, KILLS, "the runs end before they are killed: let them take longer")


if __name__ == "__main__":
    main()
