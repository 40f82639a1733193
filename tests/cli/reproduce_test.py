#!/usr/bin/env python3
"""`cleave reproduce` from outside: what it prints, what it writes, how it ends."""
import os
import signal
import time

from support import Cli, main


class Reproduce(Cli):
    def test_list(self):
        out = self.cleave("reproduce", "list")
        self.assert_fits(out)
        self.assertEqual(self.cleave("reproduce"), out)
        targets = self.json("reproduce", "list")["targets"]
        names = [target["name"] for target in targets]
        self.assertLessEqual({"coin-toss", "rps", "burch-fig3", "fpira-table", "cfr-ira-table"}, set(names))
        for target in targets:
            self.assertRegex(out, rf"(?m)^{target['name']} ")
            self.assertTrue(target["source"] and target["summary"])
        self.assertEqual(self.files(), [])

    def test_json(self):
        result = self.json("reproduce", "coin-toss", "--quick")
        self.assertEqual((result["target"], result["quick"], result["passed"]), ("coin-toss", True, True))
        self.assertTrue(result["checks"])
        for check in result["checks"]:
            self.assertTrue(check["passed"] and check["criterion"] and check["measured"], check)
        (table,) = result["tables"]
        self.assertEqual(table["columns"][2:4], ["paper", "linear program"])
        for row in table["rows"]:
            self.assertEqual(len(row), len(table["columns"]))
            if row[2] is not None and row[3] is not None:
                self.assertAlmostEqual(row[2], row[3], delta=1e-9)
        self.assertEqual(sorted(os.listdir(self.path(result["folder"]))), sorted(result["files"]))

    def test_text_and_files(self):
        code, out, err = self.run_any("reproduce", "coin-toss", "--quick", "--quiet", "--out", "mine")
        self.assertEqual((code, err), (0, ""))
        self.assert_fits(out)
        self.assertIn("PASS  ", out)
        self.assertNotIn("MISS", out)
        self.assertRegex(out, r"\ncoin-toss: (\d+) of \1 criteria met in ")
        self.assertIn("\nwrote mine/\n", out)
        self.assertEqual(self.files(), ["mine"])
        self.assertEqual(sorted(os.listdir(self.path("mine"))), ["coin-toss.md", "numbers.csv"])
        self.assertTrue(self.text("mine/numbers.csv").startswith("part,what,paper,linear program,"))
        report = self.text("mine/coin-toss.md")
        for part in ("# coin-toss", "cleave reproduce coin-toss --quick", "(numbers.csv)", "| PASS |"):
            self.assertIn(part, report)

    def test_the_same_again(self):
        for name in ("one", "two"):
            self.cleave("reproduce", "rps", "--quick", "--quiet", "--out", name)
        self.assertEqual(self.read("one/answers.csv"), self.read("two/answers.csv"))

    def test_wrong_use(self):
        self.refused("reproduce", "burch-fig99", says=("burch-fig99", "coin-toss"))
        self.put("file", "mine")
        self.refused("reproduce", "coin-toss", "--out", "file", says="file: .*folder")
        self.refused("reproduce", "coin-toss", "--threads", "0", says="threads")
        self.assertEqual(self.files(), ["file"])

    def test_interrupted_writes_nothing(self):
        process = self.start("reproduce", "burch-fig3", "--quiet")
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (1, b""), err)
        self.assertRegex(err.decode(), r"\Acleave: [^\n]*(interrupted|stopped)[^\n]*\n\Z")
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    main()
