#!/usr/bin/env python3
"""Progress: a line that is redrawn on a terminal, plain lines elsewhere, nothing when quiet."""
import re
import signal

from support import PATIENCE, Cli, main

ENDLESS = ("solve", "leduc", "--target", "1e-15")
LINE = re.compile(
    r"(?P<iteration>[\d,]+) it  exploitability (?P<exploitability>\S+)  (?P<rate>[\d,]+)/s  (?P<time>[\d.]+ \S+)"
    r"(  (?P<left>[\d.]+ .*) left)?"
)
CLEAR = "\r\x1b[K"


class Terminal(Cli):
    def test_a_line_that_is_redrawn(self):
        # Usually below one second; thirty on a machine that has other things to do.
        process, shown = self.start_on_terminal(*ENDLESS, until=lambda text: text.count(" it ") > 5, patience=30)
        self.assertGreater(shown.count(" it "), 5)
        self.assertNotIn("\n", shown)
        drawn = [line for line in shown.split(CLEAR) if line]
        iterations = []
        for line in drawn[:-1]:  # the last may be half read
            self.assert_fits(line)
            match = LINE.fullmatch(line)
            self.assertTrue(match, line)
            iterations.append(int(match["iteration"].replace(",", "")))
            self.assertGreater(float(match["exploitability"]), 0)
            self.assertGreater(int(match["rate"].replace(",", "")), 0)
        self.assertEqual(iterations, sorted(set(iterations)))
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=PATIENCE)
        rest = ""
        while (more := self.read_terminal(1)) is not None:
            rest += more
        self.assertTrue(rest.endswith(CLEAR), rest)  # the line is gone when the result comes
        self.assertIn("interrupted", out.decode())

    def test_time_left(self):
        for limit in (("--iterations", "1000000000"), ("--seconds", "5000"), ("--target", "1e-5")):
            with self.subTest(limit):
                game = "liars_dice" if limit[0] == "--target" else "leduc"
                process, shown = self.start_on_terminal("solve", game, "--algorithm", "cfr", *limit,
                                                        until=lambda text: " left" in text, patience=60)  # fmt: skip
                process.kill()
                process.wait()
                self.assertRegex(shown, r"\r\x1b\[K[\d,]+ it  [^\r]*  [\d.]+ (us|ms|s|min|h)( \d+ (s|min))? left")
                if limit[0] == "--seconds":
                    self.assertRegex(shown, r"  (83 min \d+ s|1 h \d+ min) left")

    def test_compiling_shows_too(self):
        process, shown = self.start_on_terminal("info", "goofspiel(cards=6,prizes=random,reveal=true)",
                                                until=lambda text: text.count("compiling") > 2)  # fmt: skip
        process.kill()
        process.wait()
        self.assertRegex(shown, r"\r\x1b\[Kcompiling: [\d,]+ histories, [\d.]+ \S+")
        self.assertNotIn("\n", shown)

    def test_quiet_and_json(self):
        for option in ("--quiet", "--json"):
            with self.subTest(option):
                process, shown = self.start_on_terminal("solve", "leduc", "--algorithm", "cfr", "--seconds", "0.5",
                                                        option, until=lambda text: False)  # fmt: skip
                out, _ = process.communicate(timeout=PATIENCE)
                self.assertEqual((process.returncode, shown), (0, ""))
                self.assertIn(b"exploitability", out)


class Pipe(Cli):
    def test_plain_lines(self):
        code, out, err = self.run_any("solve", "leduc", "--algorithm", "cfr", "--seconds", "2.5")
        self.assertEqual(code, 0)
        self.assertRegex(err, r"\A([\d,]+ it  exploitability [^\n]+ left\n)+\Z")
        self.assertNotRegex(err + out, "[\r\x1b]")
        self.assert_fits(err)
        for line in err.splitlines():
            self.assertTrue(LINE.fullmatch(line), line)

    def test_short_runs_say_nothing(self):
        code, _, err = self.run_any("solve", "leduc", "--iterations", "100")
        self.assertEqual((code, err), (0, ""))

    def test_results_have_no_escapes(self):
        for args in (("games",), ("algorithms",), ("info", "leduc"), ("solve", "kuhn", "--show", "9")):
            self.assertNotRegex(self.cleave(*args), "[\r\x1b]")


if __name__ == "__main__":
    main()
