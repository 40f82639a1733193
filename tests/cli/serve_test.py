#!/usr/bin/env python3
"""`cleave serve` from outside: what it prints, who may ask it, and that nobody takes it down."""
import http.client
import json
import os
import re
import shutil
import signal
import socket
import threading
import time
import urllib.parse

from support import PATIENCE, Cli, end, main, wait_until

TOKEN = "a-token-for-tests"
SECRET = "nobody may read this"

# Names that would lead out of the workspace, or to what is hidden in it.
FORBIDDEN = (
    "../outside/secret.toml", "a/../../outside/secret.toml", "/etc/passwd", "{outside}/secret.toml",
    "..\\outside\\secret.toml", "out/secret.toml", "out/new.toml", "link.toml", "dangling.toml", "./spot.toml",
    ".hidden.toml", ".cleave/other.h5", "a//b.toml", "spot.toml\0.h5", "a\nb.toml", "a\x1b[2J.toml", "\x7f.toml",
    "x" * 300 + ".toml", "x/" * 30 + "a.toml", "x" * 5000,
)  # fmt: skip
RIVER = 'board = "Td9d6hQc2s"\npot = 2\nstack = 2\n[range]\noop = "AA"\nip = "KK"\n[sizes]\nbet = "a"\n'


class Server(Cli):
    example = None  # as the first server has solved it, so that the others need not

    def setUp(self):
        super().setUp()
        self.outside = self.path("outside")
        os.mkdir(self.outside)
        for extension in ("toml", "h5", "csv", "history.csv", "efg", "game"):
            self.put(f"outside/secret.{extension}", SECRET)
        os.makedirs(self.path("work/.cleave"))
        if Server.example:
            self.put("work/.cleave/example.h5", Server.example)

    def serve(self, *args):
        """The running server; its port and token are known afterwards."""
        process = self.start("serve", "work", *args)
        lines = []
        while not lines or "http://" not in lines[-1]:
            line = process.stdout.readline().decode()
            self.assertTrue(line, f"ended: {process.stderr.read() if process.poll() is not None else ''}")
            lines.append(line)
        address = urllib.parse.urlparse(lines[-1].strip())
        self.port, self.token = address.port, urllib.parse.parse_qs(address.query)["token"][0]
        self.process, self.shown = process, lines
        Server.example = self.read("work/.cleave/example.h5")
        return process

    def headers(self, **more):
        return {"X-Cleave-Token": self.token, **more}

    def ask(self, method, target, body=None, headers=None, patience=30):
        """(status, headers, body) of one request; `headers` replace those that are right."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=patience)
        try:
            headers = self.headers() if headers is None else headers
            connection.putrequest(method, target, skip_host="Host" in headers, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            if body is not None and "Content-Length" not in headers:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            response = connection.getresponse()
            return response.status, response.headers, response.read()
        finally:
            connection.close()

    def get(self, path, **query):
        return self.answer(*self.ask("GET", path + ("?" + urllib.parse.urlencode(query) if query else "")))

    def post(self, path, **body):
        return self.answer(*self.ask("POST", path, json.dumps(body).encode(),
                                     self.headers(**{"Content-Type": "application/json"})))  # fmt: skip

    def answer(self, status, headers, body):
        answer = json.loads(body)
        self.assertEqual(headers["Content-Type"], "application/json")
        if status != 200:
            self.assertEqual(list(answer), ["error"])
        return status, answer

    def job(self, number):
        return self.get("/api/job", id=number)[1]

    def start_job(self, **request):
        status, job = self.post("/api/game/solve", **{"game": "leduc", "algorithm": "cfr", **request})
        self.assertEqual(status, 200, job)
        return job["id"]

    def connect(self):
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
        self.addCleanup(connection.close)
        return connection

    def listen(self, number):
        """The stream's socket file, behind its head."""
        connection = self.connect()
        connection.sendall(f"GET /api/job/events?id={number}&token={TOKEN} HTTP/1.1\r\n"
                           f"Host: localhost:{self.port}\r\n\r\n".encode())  # fmt: skip
        stream = connection.makefile("rb")
        connection.close()  # the socket closes with its file
        self.addCleanup(stream.close)
        self.assertEqual(stream.readline(), b"HTTP/1.1 200 OK\r\n")
        while stream.readline().strip():
            pass
        return stream

    def ends_well(self):
        self.process.send_signal(signal.SIGINT)
        _, errors = self.process.communicate(timeout=PATIENCE)
        self.assertEqual((self.process.returncode, errors), (0, b""))


class Start(Server):
    def test_what_is_printed(self):
        process = self.serve("--token", TOKEN)
        self.assertRegex(self.shown[-1], rf"\A\s*http://127\.0\.0\.1:\d+/\?token={TOKEN}\n\Z")
        process.send_signal(signal.SIGINT)
        text = "".join(self.shown) + process.stdout.read().decode()
        self.assertEqual((process.wait(), process.stderr.read()), (0, b""))
        self.assert_fits(text)
        self.assertIn(os.path.realpath(self.path("work")), text)
        self.assertIn("Ctrl-C ends", text)

    def test_quiet_prints_the_address_only(self):
        self.serve("--quiet", "--port", "0")
        self.assertEqual(len(self.shown), 1)
        self.assertRegex(self.token, r"\A[A-Za-z0-9]{32}\Z")
        first = self.token
        self.process.terminate()
        self.assertEqual(self.process.communicate(timeout=PATIENCE), (b"", b""))
        self.assertEqual(self.process.returncode, 0)
        end(self.process)
        self.serve("--quiet", "--port", "0")
        self.assertNotEqual(self.token, first)

    def test_a_taken_port(self):
        taken = socket.create_server(("127.0.0.1", 0))
        self.addCleanup(taken.close)
        port = taken.getsockname()[1]
        self.refused("serve", "work", "--port", str(port), says=rf"127\.0\.0\.1:{port}: .*taken.*--port", code=1)
        # Without a wish any port will do: two at a time.
        self.serve()
        first = self.port
        self.serve()
        self.assertNotEqual(self.port, first)
        self.assertEqual(self.get("/api/state")[0], 200)

    def test_open_to_the_network(self):
        process = self.serve("--host", "0.0.0.0", "--port", "0")
        self.assertEqual(self.ask("GET", "/", headers={"Host": f"192.0.2.7:{self.port}"})[0], 200)
        self.assertEqual(self.ask("GET", "/", headers={"Host": f"evil.example:{self.port}"})[0], 403)
        process.terminate()
        _, err = process.communicate(timeout=PATIENCE)
        self.assertRegex(err.decode(), r"\Acleave: warning: --host 0\.0\.0\.0: .*open to the network[^\n]*\n\Z")

    def test_wrong_use(self):
        self.put("file", "")
        self.refused("serve", "file", says="file: cannot be used as a folder")
        self.refused("serve", "/proc/nothing", says="/proc/nothing: cannot be used as a folder")
        self.refused("serve", "work", "--port", "70000", says="--port 70000: allowed are 0")
        self.refused("serve", "work", "--token", "a b", says="--token: allowed are")
        self.refused("serve", "work", "--host", "0.0.0.0", "--token", "short", says="--token: at least 16")
        self.refused("serve", "work", "--host", "no.such.host.invalid", says="give another --host", code=1)
        self.assert_fits(self.cleave("serve", "--help"))
        if os.geteuid() != 0:
            os.chmod(self.path("work"), 0o500)
            self.refused("serve", "work", says="work: not writable")

    def test_the_example_is_solved_once(self):
        shutil.rmtree(self.path("work/.cleave"))
        self.serve("--port", "0")
        state = self.get("/api/state")[1]
        self.assertEqual(state["example"], ".cleave/example.h5")
        before = os.stat(self.path("work/.cleave/example.h5"))
        self.assertEqual(self.get("/api/files")[1], {"files": []})  # hidden
        self.assertEqual(self.get("/api/solution", file=state["example"])[0], 200)
        self.ends_well()
        self.serve("--port", "0")
        after = os.stat(self.path("work/.cleave/example.h5"))
        self.assertEqual((before.st_ino, before.st_mtime_ns), (after.st_ino, after.st_mtime_ns))
        self.ends_well()
        self.put("work/.cleave/example.h5", "damaged")
        self.serve("--port", "0")
        self.assertEqual(self.get("/api/solution", file=state["example"])[0], 200)


class Guard(Server):
    def setUp(self):
        super().setUp()
        self.serve("--port", "0", "--token", TOKEN)

    def test_only_this_machine(self):
        with self.assertRaises(OSError):  # bound to 127.0.0.1, not to all addresses
            socket.create_connection(("127.0.0.2", self.port), timeout=5)

    def test_hosts_origins_tokens_and_methods(self):
        right = {"X-Cleave-Token": TOKEN}
        for path in ("/", "/api/state", "/nothing"):
            for host in ("evil.example", f"evil.example:{self.port}", "127.0.0.1", "", "localhost:1"):
                self.assertEqual(self.ask("GET", path, headers={**right, "Host": host})[0], 403, host)
            for origin in ("null", "http://evil.example", f"https://localhost:{self.port}", "http://localhost:1"):
                self.assertEqual(self.ask("GET", path, headers={**right, "Origin": origin})[0], 403, origin)
                self.assertEqual(self.ask("POST", path, b"{}", {**right, "Origin": origin})[0], 403, origin)
        for host in (f"localhost:{self.port}", f"127.0.0.1:{self.port}", f"[::1]:{self.port}"):
            headers = {**right, "Host": host, "Origin": f"http://{host}"}
            self.assertEqual(self.ask("GET", "/api/state", headers=headers)[0], 200, host)
        for token in ({}, {"X-Cleave-Token": ""}, {"X-Cleave-Token": TOKEN[:-1]}, {"X-Cleave-Token": TOKEN + "x"}):
            for path in ("/api/state", "/api/nothing", f"/api/state?token={TOKEN}", "/api/job/events?id=1&token=x"):
                self.assertEqual(self.ask("GET", path, headers=token)[0], 401, (token, path))
            self.assertEqual(self.ask("POST", "/api/job/cancel", b"{}", token)[0], 401)
        self.assertEqual(self.ask("GET", "/", headers={})[0], 200)
        self.assertEqual(self.ask("GET", "/nothing", headers={})[0], 404)
        self.assertEqual(self.ask("GET", "/api/nothing")[0], 404)
        for method in ("PUT", "DELETE", "PATCH", "OPTIONS"):
            status, headers, _ = self.ask(method, "/api/state")
            self.assertEqual(status, 405, method)
            self.assertFalse([name for name in headers if name.lower().startswith("access-control")])

    def test_headers_of_answers(self):
        for target, headers in (("/", {}), ("/api/state", None), ("/api/state", {}), ("/nothing", {})):
            _, found, _ = self.ask("GET", target, headers=headers)
            for name, value in {
                "Content-Security-Policy": "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:"
                " blob:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
                "X-Content-Type-Options": "nosniff",
                "Referrer-Policy": "no-referrer",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
            }.items():
                self.assertEqual(found.get_all(name), [value])
            if target.startswith("/api"):
                self.assertEqual(found["Cache-Control"], "no-store")

    def test_bodies(self):
        def send(body, kind="application/json", **headers):
            return self.ask("POST", "/api/job/cancel", body, self.headers(**{"Content-Type": kind}, **headers))[0]

        self.assertEqual(send(b'{"id": 7}'), 404)
        for kind in ("text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
            self.assertEqual(send(b'{"id": 7}', kind), 415)
        deep = b'{"id":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
        for body in (b"", b"{", b"[]", b"7", b'"x"', b"{}", b'{"id": "x"}', b'{"id": 1e300}', b'{"id": -1}',
                     b'{"id": "\xff"}', b"\0", deep, b"[" * 1_000_000):  # fmt: skip
            self.assertEqual(send(body), 400, body[:20])
        self.assertEqual(send(b" " * (2 << 20) + b"{}"), 413)
        self.assertEqual(self.ask("GET", "/api/state?x=" + "y" * 9000)[0], 414)
        self.assertEqual(self.ask("GET", "/api/job?id=%FF")[0], 400)

    def test_no_file_name_leads_out(self):
        """Every parameter that names a file, with names of the kind that it takes."""
        os.symlink(self.outside, self.path("work/out"))
        for ending in (".toml", ".h5", ".csv", ".efg", ".game", ".unsafe.csv"):
            os.symlink(self.path(f"outside/secret{ending}"), self.path(f"work/link{ending}"))
            os.symlink(self.path(f"outside/new{ending}"), self.path(f"work/dangling{ending}"))
        self.put("work/spot.toml", "board")
        before = self.tree()
        for pattern in FORBIDDEN:
            name = pattern.format(outside=self.outside) if "{" in pattern else pattern
            for number, (status, answer) in enumerate(self.ask_for_files(name)):
                self.assertEqual(status, 400, (number, name, answer))
                self.assertNotIn(SECRET, json.dumps(answer))
        self.assertEqual(self.get("/api/jobs")[1], {"jobs": []})
        self.assertEqual(self.tree(), before)

    def ask_for_files(self, toml):
        """The answers to all questions about a file of this name; with another ending where another is due."""
        h5, csv, stem = (toml.replace(".toml", ending) for ending in (".h5", ".csv", ""))
        yield self.get("/api/files/text", file=toml)
        yield self.post("/api/files/text", file=toml, text="evil", overwrite=True)
        for name in (toml, h5, csv):
            yield self.post("/api/files/delete", file=name)
            copy = "copied" + os.path.splitext(name)[1]
            yield self.post("/api/files/copy", **{"from": name}, to=copy, overwrite=True)
        yield self.post("/api/files/copy", **{"from": "spot.toml"}, to=toml, overwrite=True)
        for path in ("/api/solution", "/api/solution/node", "/api/solution/runouts"):
            yield self.get(path, file=h5, node="")
        yield self.get("/api/history", file=csv)
        for path in ("/api/game/tree", "/api/game/node", "/api/game/strategy", "/api/game/evaluate"):
            yield self.get(path, game="kuhn", strategy=csv)
            yield self.get(path, game="kuhn", strategy=h5)
        yield self.post("/api/play", solution=h5, seat=0)
        yield self.post("/api/play", game="kuhn", strategy=csv, seat=0)
        resolve = {"cut": "depth:2", "methods": ["unsafe"], "blueprint": "cfr", "blueprint_iterations": 1}
        yield self.post("/api/game/resolve", game="kuhn", strategy=csv, name="r", **resolve)
        for game in (toml.replace(".toml", ending) for ending in (".efg", ".game", ".game(sizes=a)")):
            for path in ("/api/game", "/api/game/tree", "/api/game/node"):
                yield self.get(path, game=game)
            yield self.post("/api/play", game=game, seat=0)
            yield self.post("/api/game/solve", game=game, name="r", iterations=1)
            yield self.post("/api/game/resolve", game=game, name="r", **resolve)
        # These get their ending from the server.
        yield self.post("/api/spot/solve", text=RIVER, name=stem, overwrite=True)
        yield self.post("/api/game/solve", game="kuhn", name=stem, iterations=1, overwrite=True)
        yield self.post("/api/game/resolve", game="kuhn", name=stem, overwrite=True, **resolve)

    def tree(self):
        """Every file and what it holds."""
        found = {}
        for folder, names, files in os.walk(self.folder):
            for name in names + files:
                path = os.path.join(folder, name)
                content = os.readlink(path) if os.path.islink(path) else None
                if content is None and name in files:
                    with open(path, "rb") as file:
                        content = file.read()
                found[path] = content
        return found


class Load(Server):
    def test_a_thousand_at_once_and_slow_ones_while_a_job_runs(self):
        self.serve("--port", "0", "--token", TOKEN, "--threads", "1")
        number = self.start_job(name="run", seconds=12)
        wait_until(lambda: self.job(number)["state"] == "running", "the job")
        waits = self.listen(self.start_job(name="next", iterations=1))
        request = f"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nX-Cleave-Token: {TOKEN}\r\n\r\n".encode()

        loris = [self.connect() for _ in range(200)]
        begun = time.monotonic()
        silent = [self.connect() for _ in range(200)]
        deaf = [self.connect() for _ in range(100)]
        for connection in deaf:  # ask, and never read
            connection.send(request)
        stop = threading.Event()

        def drip():
            for byte in request:
                for connection in loris:
                    try:
                        connection.send(bytes([byte]))
                    except OSError:
                        pass
                if stop.wait(1):
                    return

        dripping = threading.Thread(target=drip)
        dripping.start()
        try:
            # A thousand that are connected before the first of them asks.
            crowd = [self.connect() for _ in range(1000)]
            for connection in crowd:
                connection.sendall(request)
            for connection in crowd:
                answer = b""
                while part := connection.recv(65536):
                    answer += part
                self.assertTrue(answer.startswith(b"HTTP/1.1 200 OK\r\n"), answer[:100])
                connection.close()
            took = time.monotonic() - begun
            times = []
            for _ in range(20):
                start = time.monotonic()
                self.assertEqual(self.get("/api/state")[0], 200)
                times.append(time.monotonic() - start)
            self.assertLess(took, 20)
            self.assertLess(sorted(times)[10], 1)
            # Those who take too long over a request are sent away.
            for connection in (*loris, *silent):
                connection.settimeout(max(0.01, begun + 25 - time.monotonic()))
                try:
                    self.assertEqual(connection.recv(1), b"")
                except ConnectionResetError:
                    pass
        finally:
            stop.set()
            dripping.join()
        self.assertIn(b"\n: ", waits.read())  # nothing happened for ten seconds: a sign of life
        job = self.job(number)
        self.assertEqual((job["state"], job["error"]), ("done", None))
        self.assertGreater(job["result"]["iterations"], 0)
        certificate = self.get("/api/game/evaluate", game="leduc", strategy="run.csv")[1]
        self.assertAlmostEqual(certificate["exploitability"], job["result"]["exploitability"], 9)
        self.ends_well()


class Events(Server):
    def test_a_job_from_its_beginning_to_its_end(self):
        self.serve("--port", "0", "--token", TOKEN)
        first = self.start_job(name="first", seconds=2)
        wait_until(lambda: self.job(first)["state"] == "running", "the first job to begin")
        waits = self.start_job(name="second", iterations=50)
        streams = {number: self.listen(number) for number in (first, waits)}
        text = streams[waits].read().decode()  # ends with the job
        jobs = [json.loads(data) for data in re.findall(r"event: job\ndata: (.*)\n\n", text)]
        self.assertEqual((jobs[0]["state"], jobs[0]["place"]), ("queued", 1))
        self.assertEqual(jobs[-1]["state"], "done")
        self.assertEqual(jobs[-1], self.job(waits))
        jobs = [json.loads(data) for data in re.findall(r"data: (.*)\n\n", streams[first].read().decode())]
        self.assertGreater(len(jobs), 3)
        iterations = [job["progress"]["iteration"] for job in jobs if job["progress"]]
        self.assertEqual(iterations, sorted(iterations))
        self.assertEqual(jobs[-1]["state"], "done")

    def test_too_many_streams_and_those_who_left(self):
        self.serve("--port", "0", "--token", TOKEN)
        number = self.start_job(name="run", seconds=600)
        streams = [self.listen(number) for _ in range(64)]
        path = f"/api/job/events?id={number}"
        self.assertEqual(self.ask("GET", path)[0], 429)
        for stream in streams:
            stream.close()

        def has_place():
            stream = self.connect()
            stream.sendall(f"GET {path}&token={TOKEN} HTTP/1.1\r\nHost: localhost:{self.port}\r\n\r\n".encode())
            return b" 200 " in stream.recv(4096)

        wait_until(has_place, "a place for another stream")
        self.post("/api/job/cancel", id=number)
        wait_until(lambda: self.job(number)["state"] == "cancelled", "the job")
        self.assertTrue(os.path.exists(self.path("work/run.csv")))

    def test_the_end_saves_what_was_reached(self):
        self.serve("--port", "0", "--token", TOKEN)
        number = self.start_job(name="runs/long", seconds=600)
        self.start_job(name="runs/never", seconds=600)
        stream = self.listen(number)
        wait_until(lambda: (self.job(number)["progress"] or {}).get("iteration", 0) > 10, "the job")
        started = time.monotonic()
        self.ends_well()
        self.assertLess(time.monotonic() - started, 20)
        self.assertTrue(stream.read().endswith(b"\n\n"))
        self.assertGreater(self.json("evaluate", "leduc", "work/runs/long.csv")["exploitability"], 0)
        self.assertEqual(sorted(os.listdir(self.path("work/runs"))), ["long.csv", "long.history.csv"])


if __name__ == "__main__":
    main()
