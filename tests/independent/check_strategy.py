#!/usr/bin/env python3
"""Checks a strategy without any of Cleave's code.

usage: check_strategy.py GAME.efg STRATEGY.csv

Reads a two-player constant-sum game in Gambit's .efg format and a strategy with the columns
player,infoset,action,probability, and prints one JSON object: the expected value for player 1, the value of
the best response of each player (to that player), and exploitability = (br1 + br2 - sum of payoffs) / 2.

Chance and payoffs are exact fractions as far as they go alone; floats begin where the strategy enters. A best
response comes from the information sets in order of the player's own moves, last first: the sum over an
information set's counterfactual payoffs is maximal over its actions, and goes to the action before it.
"""
import csv
import json
import math
import re
import sys
from collections import Counter, namedtuple
from fractions import Fraction

TOLERANCE = 1e-6  # of the sum of the probabilities at an information set

TOKEN = re.compile(r'\s+|"((?:\\.|[^"\\])*)"|([{},])|([^\s"{},]+)', re.S)
ESCAPE = re.compile(r'\\(["\\])')
NUMBER = re.compile(r"[+-]?(\d+/\d+|(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?)")

# A node, in the file's (prefix) order. `payoffs` are those of all outcomes on the way, `chance` is the product of
# chance's probabilities on the way. `last` has for each player the latest own (set, action), or None.
Node = namedtuple("Node", "kind set chance payoffs last reach")


class Bad(Exception):
    """What is wrong with a file, in one line."""


class Tokens:
    """Strings as ("s", text), everything else as ("w", text)."""

    def __init__(self, text, path):
        self.path, self.text, self.items, self.at = path, text, [], 0
        position = 0
        while position < len(text):
            match = TOKEN.match(text, position)
            if not match:
                raise Bad(f"{path}:{text.count(chr(10), 0, position) + 1}: a string without its closing quote")
            if match[1] is not None:
                self.items.append(("s", ESCAPE.sub(r"\1", match[1]), position))
            elif match[2] or match[3]:
                self.items.append(("w", match[0], position))
            position = match.end()

    def fail(self, what):
        position = self.items[min(self.at, len(self.items) - 1)][2] if self.items else 0
        raise Bad(f"{self.path}:{self.text.count(chr(10), 0, position) + 1}: {what}")

    def peek(self):
        return self.items[self.at][:2] if self.at < len(self.items) else ("end", "")

    def next(self):
        token = self.peek()
        self.at += 1
        return token

    def word(self, wanted=None):
        kind, text = self.peek()
        if kind != "w" or (wanted is not None and text != wanted):
            self.fail(f"found {text!r}, expected {wanted or 'a word'}")
        self.at += 1
        return text

    def string(self):
        kind, text = self.peek()
        if kind != "s":
            self.fail(f"found {text!r}, expected a string in quotes")
        self.at += 1
        return text

    def integer(self):
        text = self.word()
        if not text.isdigit():
            self.at -= 1
            self.fail(f"found {text!r}, expected a whole number")
        return int(text)

    def number(self):
        text = self.word()
        if not NUMBER.fullmatch(text):
            self.at -= 1
            self.fail(f"found {text!r}, expected a number")
        return Fraction(text)

    def skip_commas(self):
        while self.peek() == ("w", ","):
            self.at += 1


class Game:
    def __init__(self, path):
        with open(path, encoding="utf-8") as file:
            self.tokens = Tokens(file.read(), path)
        self.sets = {}  # (player, number) -> (label, [action label]); player 0 is chance
        self.chance = {}  # number -> [probability]
        self.outcomes = {0: None}
        self.nodes = []
        self.read_header()
        self.read_tree()
        self.name_sets()

    def read_header(self):
        t = self.tokens
        t.word("EFG")
        t.word("2")
        if t.word() not in ("R", "D"):
            t.fail("expected R or D")
        t.string()
        t.word("{")
        players = 0
        while t.peek() != ("w", "}"):
            t.string()
            players += 1
        t.word("}")
        if players != 2:
            t.fail(f"{players} players, expected 2")
        if t.peek()[0] == "s":
            t.string()

    def read_tree(self):
        # What is still to come: for each open branch, the state in which its node begins.
        open_branches = [(Fraction(1), (Fraction(0), Fraction(0)), (None, None), ())]
        while open_branches:
            chance, payoffs, last, reach = open_branches.pop()
            kind = self.tokens.word()
            if kind not in ("c", "p", "t"):
                self.tokens.at -= 1
                self.tokens.fail(f"found {kind!r}, expected a node: c, p or t")
            self.tokens.string()
            key = None
            if kind != "t":
                player = 0 if kind == "c" else self.tokens.integer()
                if kind == "p" and player not in (1, 2):
                    self.tokens.fail(f"player {player}, expected 1 or 2")
                key = (player, self.tokens.integer())
                self.read_set(key)
            outcome = self.read_outcome()
            if outcome:
                payoffs = tuple(a + b for a, b in zip(payoffs, outcome))
            self.nodes.append(Node(kind, key, chance, payoffs, last, reach))
            if kind == "t":
                continue
            for action in reversed(range(len(self.sets[key][1]))):
                if kind == "c":
                    branch = (chance * self.chance[key[1]][action], payoffs, last, reach)
                else:
                    move = (key, action)
                    now = tuple(move if p == key[0] else last[p - 1] for p in (1, 2))
                    branch = (chance, payoffs, now, reach + (move,))
                open_branches.append(branch)

    def read_set(self, key):
        t = self.tokens
        if t.peek()[0] != "s":
            if key not in self.sets:
                t.fail(f"information set {key[1]} is used before it is described")
            return
        label = t.string()
        actions, probabilities = [], []
        t.word("{")
        while t.peek() != ("w", "}"):
            actions.append(t.string())
            if key[0] == 0:
                probabilities.append(t.number())
            t.skip_commas()
        t.word("}")
        if not actions:
            t.fail("an information set without actions")
        if key in self.sets:
            if len(actions) != len(self.sets[key][1]):
                t.fail(f"information set {key[1]} has another number of actions than before")
            return
        if key[0] == 0 and sum(probabilities) != 1:
            t.fail(f"chance probabilities sum to {sum(probabilities)}, not to 1")
        self.sets[key] = (label, actions)
        self.chance[key[1]] = probabilities if key[0] == 0 else self.chance.get(key[1])

    def read_outcome(self):
        t = self.tokens
        number = t.integer()
        described = t.peek()[0] == "s"
        if described:
            t.string()
        if t.peek() == ("w", "{"):
            t.word("{")
            payoffs = []
            while t.peek() != ("w", "}"):
                payoffs.append(t.number())
                t.skip_commas()
            t.word("}")
            if len(payoffs) != 2:
                t.fail(f"{len(payoffs)} payoffs, expected 2")
            self.outcomes.setdefault(number, tuple(payoffs))
        if number not in self.outcomes:
            t.fail(f"outcome {number} is used before it is described")
        return self.outcomes[number]

    def name_sets(self):
        """(player, infoset name) -> key. As published: names that are empty or repeat carry #number."""
        counts = Counter((key[0], label) for key, (label, _) in self.sets.items())
        self.by_name = {}
        for key, (label, _) in self.sets.items():
            if key[0] != 0:
                unique = label and counts[key[0], label] == 1
                self.by_name[key[0], label if unique else f"{label}#{key[1]}"] = key

    def actions(self, key):
        labels = self.sets[key][1]
        counts = Counter(labels)
        return [a if a and counts[a] == 1 else f"{a}#{i}" for i, a in enumerate(labels, 1)]


def read_strategy(game, path):
    """(set, action) -> probability."""
    strategy = {}
    action_index = {key: {a: i for i, a in enumerate(game.actions(key))} for key in game.by_name.values()}
    with open(path, encoding="utf-8-sig", newline="") as file:
        rows = csv.reader(file, strict=True)
        if next(rows, None) != ["player", "infoset", "action", "probability"]:
            raise Bad(f"{path}:1: expected the header player,infoset,action,probability")
        for row in rows:
            where = f"{path}:{rows.line_num}"
            if not row:
                continue
            if len(row) != 4 or row[0] not in ("1", "2"):
                raise Bad(f"{where}: expected player (1 or 2), infoset, action, probability")
            key = game.by_name.get((int(row[0]), row[1]))
            if key is None:
                raise Bad(f"{where}: player {row[0]} has no information set {row[1]!r}")
            action = action_index[key].get(row[2])
            if action is None:
                raise Bad(f"{where}: information set {row[1]!r} has no action {row[2]!r}")
            try:
                probability = float(row[3])
            except ValueError:
                probability = math.nan
            if not 0 <= probability <= 1 + TOLERANCE:
                raise Bad(f"{where}: probability {row[3]!r} is not a number from 0 to 1")
            if (key, action) in strategy:
                raise Bad(f"{where}: a second row for this action")
            strategy[key, action] = probability
    for key in game.by_name.values():
        slots = [(key, a) for a in range(len(game.sets[key][1]))]
        missing = [slot for slot in slots if slot not in strategy]
        if missing:
            raise Bad(f"{path}: player {key[0]}, information set {game.sets[key][0]!r}: an action has no row")
        total = math.fsum(strategy[slot] for slot in slots)
        if abs(total - 1) > TOLERANCE:
            raise Bad(f"{path}: player {key[0]}, information set {game.sets[key][0]!r}: the sum is {total}, not 1")
        for slot in slots:
            strategy[slot] /= total
    return strategy


def expected_value(game, strategy):
    return math.fsum(
        float(node.chance * node.payoffs[0]) * math.prod(strategy[move] for move in node.reach)
        for node in game.nodes
        if node.kind == "t"
    )


def best_response(game, strategy, player):
    """The most that `player` can get against the other player's part of the strategy."""
    # Before which own move does an information set stand, and how many own moves are before it?
    before = {}
    for node in game.nodes:
        if node.kind == "p" and node.set[0] == player:
            previous = node.last[player - 1]
            if before.setdefault(node.set, previous) != previous:
                raise Bad(f"player {player} forgets a move at information set {game.sets[node.set][0]!r}")
    depth = {}
    for key in before:  # the file's order has earlier moves first
        depth[key] = 0 if before[key] is None else depth[before[key][0]] + 1

    terms = {}  # own last move -> counterfactual payoffs that follow it directly
    for node in game.nodes:
        if node.kind == "t":
            others = math.prod(strategy[move] for move in node.reach if move[0][0] != player)
            weight = float(node.chance * node.payoffs[player - 1]) * others
            terms.setdefault(node.last[player - 1], []).append(weight)
    for key in sorted(before, key=depth.get, reverse=True):
        count = len(game.sets[key][1])
        best = max(math.fsum(terms.get((key, a), ())) for a in range(count))
        terms.setdefault(before[key], []).append(best)
    return math.fsum(terms.get(None, ()))


def check(efg_path, csv_path):
    game = Game(efg_path)
    sums = {sum(node.payoffs) for node in game.nodes if node.kind == "t"}
    if len(sums) != 1:
        raise Bad(f"{efg_path}: the payoffs have different sums from {min(sums)} to {max(sums)}: not constant-sum")
    strategy = read_strategy(game, csv_path)
    responses = [best_response(game, strategy, player) for player in (1, 2)]
    return {
        "value": expected_value(game, strategy),
        "best_response": responses,
        "exploitability": math.fsum(responses + [-float(sums.pop())]) / 2,
    }


def main():
    if len(sys.argv) != 3:
        print("usage: check_strategy.py GAME.efg STRATEGY.csv", file=sys.stderr)
        return 2
    try:
        print(json.dumps(check(sys.argv[1], sys.argv[2])))
    except (Bad, OSError, UnicodeDecodeError, csv.Error) as error:
        print(f"check_strategy: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
