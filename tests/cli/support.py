"""What the tests of the command line share. They know the program from outside only: arguments in, bytes out.

The program is the environment variable CLEAVE, else build/cleave of this checkout.
"""
import errno
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
CLEAVE = os.path.abspath(os.environ.get("CLEAVE", os.path.join(SOURCE, "build", "cleave")))
INDEPENDENT = os.path.join(SOURCE, "tests", "independent")
CORPUS = os.path.join(SOURCE, "fuzz", "corpus", "efg")

PATIENCE = 300  # seconds before a program that hangs is given up; nothing here takes a tenth of that alone
COLUMNS = 100

TEMPORARY = re.compile(r"\.cleave-\d+-\d+\.tmp")  # what kill -9 may leave beside a file being written


class Cli(unittest.TestCase):
    """Runs the program in a folder of its own, which goes away with the test."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="cleave-cli-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def files(self):
        return sorted(os.listdir(self.folder))

    def put(self, name, content):
        with open(self.path(name), "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
        return name

    def read(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def text(self, name):
        return self.read(name).decode()

    def start(self, *args, **streams):
        """The running program; it is ended with the test."""
        process = subprocess.Popen(
            [CLEAVE, *args], cwd=self.folder, stdin=subprocess.DEVNULL,
            **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams})  # fmt: skip
        self.addCleanup(end, process)
        return process

    def start_on_terminal(self, *args, until, patience=PATIENCE):
        """The running program with a terminal as standard error, and what it has drawn when `until` is true of
        that, or the program has ended, or patience has."""
        self.terminal, screen = pty.openpty()
        self.addCleanup(os.close, self.terminal)
        process = self.start(*args, stderr=screen)
        os.close(screen)
        shown, deadline = "", time.monotonic() + patience
        while not until(shown) and time.monotonic() < deadline:
            more = self.read_terminal(0.1)
            if more is None:
                break
            shown += more
        return process, shown

    def read_terminal(self, patience):
        """What came since; None when the program is gone and everything is read."""
        if not select.select([self.terminal], [], [], patience)[0]:
            return ""
        try:
            return os.read(self.terminal, 65536).decode()
        except OSError as error:  # nobody has the other end any more
            if error.errno != errno.EIO:
                raise
            return None

    def run_any(self, *args):
        """(exit code, standard output, standard error)"""
        done = subprocess.run([CLEAVE, *args], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=PATIENCE, check=False)  # fmt: skip
        return done.returncode, done.stdout.decode(), done.stderr.decode(errors="replace")

    def cleave(self, *args):
        """Standard output of a call that must work."""
        code, out, err = self.run_any(*args)
        self.assertEqual(code, 0, f"{args}: {err}")
        return out

    def json(self, *args):
        """The one JSON object of a call that must work, and say nothing else."""
        code, out, err = self.run_any(*args, "--json")
        self.assertEqual((code, err), (0, ""), args)
        result = json.loads(out)  # refuses anything behind the object
        self.assertIsInstance(result, dict)
        return result

    def refused(self, *args, says, code=2):
        """Wrong use: the exit code, nothing on standard output, one line that says what `says` matches."""
        found, out, err = self.run_any(*args)
        self.assertEqual((found, out), (code, ""), f"{args}: {err}")
        self.assertRegex(err, r"\Acleave: [^\n]+\n\Z", args)
        for pattern in (says,) if isinstance(says, str) else says:
            self.assertRegex(err, pattern, args)
        self.assertIsNone(re.search(r"\d{40}", err), f"{args}: a number nobody can read: {err}")
        return err

    def assert_fits(self, text):
        for line in text.splitlines():
            self.assertLessEqual(len(line), COLUMNS, line)


def end(process):
    """The process is gone afterwards, however it stood."""
    if process.poll() is None:
        process.kill()
    process.wait()
    for stream in (process.stdout, process.stderr):
        if stream:
            stream.close()


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"in vain for {PATIENCE} s: {what}")
        time.sleep(0.005)


def main():
    if not os.access(CLEAVE, os.X_OK):
        sys.exit(f"{CLEAVE}: no such program; build it, or set CLEAVE to its path")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a parent in the background may have it ignored
    unittest.main(verbosity=2)
