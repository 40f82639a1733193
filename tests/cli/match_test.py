#!/usr/bin/env python3
"""`cleave match` from outside: agents by their names, results with error bars, refusals."""
import re
import signal
import time

from support import PATIENCE, Cli, main

AGENTS = {"uniform", "blueprint", "solve", "resolve", "continual", "search"}
SPOT = """board = "Td9d6hQc2s"
pot = 200
stack = 400
[range]
oop = "66+,A8s+"
ip = "QQ-22,AQs-A2s"
[river]
bet = "50%,100%"
raise = "a"
"""
WHOLE = """stack = 400
blinds = [100, 50]
[preflop]
bets = 1
bet = "100%"
[flop]
bets = 1
bet = "100%"
"""
NUMBER = r"[+-]\d+\.\d{6}"


class Match(Cli):
    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_text(self):
        out = self.cleave("match", "kuhn", "solve", "uniform", "--exact")
        self.assert_fits(out)
        self.assertRegex(out, r"(?m)^hands +10,000, seats alternating$")
        row = rf"{NUMBER} chips per hand, standard error \d\.\d{{6}}, 95% \[{NUMBER}, {NUMBER}\]"
        for name in ("A wins", "A as player 1", "A as player 2"):
            self.assertRegex(out, rf"(?m)^{name} +{row}$")
        self.assertRegex(out, r"(?m)^exact +\+\d\.\d{9} chips per hand$")
        self.assertNotIn("exact ", self.cleave("match", "kuhn", "solve", "uniform"))

    def test_sampled_means_are_near_the_exact_ones(self):
        for agents in (
            ("solve", "uniform"),
            ("continual(iterations=50)", "uniform"),
            ("resolve(cut=round:1,method=reach-maxmargin(gifts=single),iterations=20,blueprint=solve(iterations=20))",
             "continual(depth=1,iterations=10)"),
        ):  # fmt: skip
            for more in ((), ("--duplicate",)):
                with self.subTest(agents, more=more):
                    result = self.json("match", "leduc(ranks=2)", *agents, "--exact", "--hands", "5000", *more)
                    self.assertEqual(result["agents"], list(agents))
                    self.assertEqual((result["hands"], result["stopped"]), (5000, "hands"))
                    exact = result["exact"]
                    self.assertLess(abs(result["mean"] - exact["mean"]), 4 * result["standard_error"])
                    low, high = result["confidence_95"]
                    self.assertAlmostEqual(high - low, 2 * 1.959964 * result["standard_error"], 6)
                    for seat, value in zip(result["seats"], exact["seats"], strict=True):
                        self.assertEqual(seat["hands"], 2500)
                        self.assertLess(abs(seat["mean"] - value), 4 * seat["standard_error"])
                    self.assertEqual(len(exact["exploitability"]), 2)

    def test_spots_and_whole_games(self):
        self.write("river.toml", SPOT)
        self.write("small.toml", SPOT.replace("50%,100%", "100%"))
        self.cleave("solve", "small.toml", "--iterations", "50", "--out", "small.h5", "--quiet")
        result = self.json("match", "river.toml", "solve(iterations=100)", "uniform", "--exact", "--hands", "4000")
        exact = result["exact"]
        self.assertLess(abs(result["mean"] - exact["mean"]), 4 * result["standard_error"])
        self.assertGreater(exact["mean"], 1)
        self.assertLess(exact["exploitability"][0], exact["exploitability"][1])
        even = self.json("match", "river.toml", "uniform", "uniform", "--duplicate", "--hands", "100")
        self.assertEqual((even["mean"], even["standard_error"]), (0, 0))
        # An agent whose own game has one size less: the other's bets are translated.
        own = "blueprint(file=small.h5,game=small.toml)"
        self.assertGreater(self.json("match", "river.toml", own, "uniform", "--hands", "2000")["mean"], 0)
        self.refused("match", "river.toml", own, "uniform", "--exact", "--hands", "1000000000000", says="agent A: .*cannot be written down")
        self.write("whole.toml", WHOLE)
        agent = "resolve(cut=street:flop,iterations=3,blueprint=uniform)"
        result = self.json("match", "whole.toml", agent, "uniform", "--hands", "4")
        self.assertEqual((result["hands"], result["stopped"]), (4, "hands"))

    def test_seed_decides(self):
        def means(*more):
            result = self.json("match", "leduc", "solve(iterations=20)", "uniform", "--hands", "500", *more)
            return result["mean"], result["standard_error"]

        self.assertEqual(means(), means("--seed", "1"))
        self.assertNotEqual(means(), means("--seed", "2"))

    def test_self_play_with_the_same_luck_is_even(self):
        result = self.json("match", "leduc", "uniform", "uniform", "--duplicate", "--hands", "1001")
        self.assertEqual((result["mean"], result["standard_error"], result["hands"]), (0, 0, 1002))
        self.assertNotEqual(result["seats"][0]["mean"], 0)

    def test_a_blueprint_from_a_file_plays_as_it_was_solved(self):
        self.cleave("solve", "kuhn", "--algorithm", "cfr+", "--iterations", "100", "--out", "kuhn.csv")
        from_file, solved = (
            self.json("match", "kuhn", agent, "uniform", "--exact", "--hands", "100")
            for agent in ("blueprint(file=kuhn.csv)", "solve(algorithm=cfr+,iterations=100)")
        )
        self.assertEqual(from_file["exact"], solved["exact"])
        self.assertEqual(from_file["mean"], solved["mean"])

    def test_perfect_information(self):
        result = self.json("match", "nim", "search(depth=3,values=exact)", "search(depth=1)", "--exact", "--hands", "4")
        self.assertEqual(result["exact"]["exploitability"][0], 0)
        self.assertGreater(result["exact"]["exploitability"][1], 0)

    def test_list_of_agents(self):
        out = self.cleave("match", "--agents")
        self.assert_fits(out)
        self.assertEqual({line for line in out.splitlines() if line and line[0].islower()}, AGENTS)
        listed = self.json("match", "--agents")["agents"]
        self.assertEqual({agent["name"] for agent in listed}, AGENTS)
        for agent in listed:
            for parameter in agent["parameters"]:
                self.assertIn(f"      {parameter['name']}={parameter['default']} ", out)
        self.assert_fits(self.cleave("match", "--help"))

    def test_refusals(self):
        for agent, says in (
            ("nobody", "agent B: there is no agent 'nobody'; there are uniform"),
            ("solve(iterations=0)", "'iterations' is '0'; allowed is a whole number from 1"),
            ("solve(algorithm=magic)", "no algorithm 'magic'"),
            ("solve(iterations=1", r"at character 19: expected '\)'"),
            ("resolve", "needs a cut"),
            ("resolve(cut=round:9)", "round:1 to round:1"),
            ("resolve(cut=nowhere)", "there is no cut 'nowhere'"),
            ("resolve(cut=round:1,method=magic)", "no method 'magic'"),
            ("continual(leaves=blueprint)", "belong together"),
            ("continual(depth=x)", "'depth' is 'x'"),
            ("search", "perfect information"),
            ("blueprint(file=none.csv)", "none.csv.*No such file"),
        ):
            with self.subTest(agent):
                self.refused("match", "leduc", "uniform", agent, says=says)
        self.refused("match", "leduc", "uniform", says="GAME AGENT_A AGENT_B")
        self.refused("match", "chess", "uniform", "uniform", says="chess")
        self.refused("match", "kuhn", "uniform", "uniform", "--seed", "-1", says="--seed")
        self.refused("match", "kuhn", "uniform", "uniform", "--hands", "3", says="--hands")
        self.assertEqual(self.files(), [])

    def test_ctrl_c_reports_the_hands_played(self):
        process = self.start("match", "leduc", "uniform", "uniform", "--hands", "1000000000000", "--quiet")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
        self.assertEqual((process.returncode, err), (0, b""))
        self.assertRegex(out.decode(), r"(?m)^stopped +interrupted after [\d,]+ of 1,000,000,000,000 hands$")
        hands = int(re.search(r"(?m)^hands +([\d,]+)", out.decode()).group(1).replace(",", ""))
        self.assertGreater(hands, 1000)

    def test_ctrl_c_before_anything_was_played(self):
        for agent in ("continual(iterations=1000000000)", "solve(iterations=1000000000)"):
            with self.subTest(agent):
                process = self.start("match", "leduc", agent, "uniform", "--quiet")
                time.sleep(1)
                process.send_signal(signal.SIGINT)
                out, err = process.communicate(timeout=PATIENCE)
                self.assertEqual((process.returncode, out), (1, b""))
                self.assertRegex(err.decode(), r"\Acleave: [^\n]+\n\Z")

    def test_progress_of_long_matches(self):
        process, shown = self.start_on_terminal(
            "match", "leduc", "uniform", "uniform", "--hands", "1000000000000",
            until=lambda text: "hands" in text)  # fmt: skip
        self.assertRegex(shown, r"[\d,]+ hands  [+-]\d\.\d{4} chips to A")
        process.send_signal(signal.SIGINT)
        while self.read_terminal(0.1) is not None:
            pass
        self.assertEqual(process.wait(PATIENCE), 0)


if __name__ == "__main__":
    main()
