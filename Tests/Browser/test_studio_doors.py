"""What the studio's server refuses from strangers, and which bad requests it survives."""

import http.client
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import threading
import time
import unittest
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from shared import poll
from studio import Workshop, job_request, shared_workshop

MIB = 1 << 20


class StudioServer(unittest.TestCase):
    """A test with the module's studio, and a clip."""

    @classmethod
    def setUpClass(cls):
        cls.use(shared_workshop())

    @classmethod
    def use(cls, workshop):
        cls.studio, cls.clip = workshop.studio, workshop.clip
        cls.folder, cls.workspace = workshop.folder, workshop.workspace
        address = urlsplit(cls.studio.url)
        cls.host, cls.token = address.netloc, parse_qs(address.query)["token"][0]

    def ask(self, method, path, body=None, **headers):
        """`(status, headers, body)` of the response to a request with the token."""
        headers = {"Authorization": f"Bearer {self.token}", **headers}
        headers = {name.replace("_", "-"): value for name, value in headers.items() if value}
        connection = http.client.HTTPConnection(self.host, timeout=60)
        try:
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            connection.close()

    def json(self, method, path, content=None):
        body = None if content is None else json.dumps(content)
        return json.loads(self.ask(method, path, body)[2])

    def sample(self):
        """The identifier of the clip that is there from the start."""
        media = self.json("GET", "/api/media")["media"]
        return next(each["id"] for each in media if each["origin"] == "sample")

    def slow_request(self, factor=400):
        return job_request(self.sample(), {"scale": factor}, video={"preset": "ultrafast"})

    def wait_for(self, render, *states):
        poll(lambda: self.json("GET", f"/api/renders/{render}")["state"] in states,
             f"the render never is {' or '.join(states)}")


class OwnStudio(StudioServer):
    """Tests with a studio and a workspace of their own."""

    @classmethod
    def setUpClass(cls):
        cls.workshop = Workshop()
        cls.addClassCleanup(cls.workshop.close)
        cls.use(cls.workshop)


class Doors(StudioServer):
    def expect(self, status, method, path, body=None, **headers):
        answer = self.ask(method, path, body, **headers)
        self.assertEqual(answer[0], status, (method, path, headers))
        if status >= 400 and method != "HEAD":
            self.assertTrue(json.loads(answer[2])["error"]["message"])
        return answer

    def test_nothing_is_answered_without_the_token(self):
        for path in ["/", "/studio/app/studio.js", "/api/media", "/api/events", "/api/openapi.json"]:
            self.expect(403, "GET", path, Authorization=None)
            self.expect(403, "GET", path, Authorization="Bearer " + "0" * 32)
            self.expect(403, "GET", path, Authorization=None, Cookie="timewarp=1")
        self.expect(403, "GET", "/?token=" + "0" * 32, Authorization=None)
        self.expect(403, "POST", "/api/uploads?name=a.mp4", b"abc", Authorization=None)

    def test_the_printed_address_leaves_a_cookie_that_scripts_and_other_sites_dont_get(self):
        status, headers, _ = self.ask("GET", f"/?token={self.token}", Authorization=None)
        self.assertEqual(status, 303)
        self.assertEqual(headers["Location"], "/")
        cookie = headers["Set-Cookie"]
        self.assertIn("HttpOnly", cookie)
        self.assertIn("SameSite=Strict", cookie)
        status, headers, body = self.ask(
            "GET", "/", Authorization=None, Cookie=cookie.split(";")[0])
        self.assertEqual(status, 200)
        self.assertNotIn(self.token.encode(), body)
        policy = headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)

    def test_who_comes_from_another_page_is_led_on_by_a_page_of_this_site(self):
        # Browsers don't send the cookie to where a response leads on if another site's page began it.
        path = f"/?token={self.token}"
        status, headers, body = self.ask("GET", path, Authorization=None, Sec_Fetch_Site="cross-site",
                                         Sec_Fetch_Mode="navigate")
        self.assertEqual(status, 200)
        self.assertIn("SameSite=Strict", headers["Set-Cookie"])
        self.assertIn(b'http-equiv="refresh" content="0; url=/"', body)
        self.assertNotIn(self.token.encode(), body)

    def test_a_foreign_host_or_origin_is_refused(self):
        for host in ["example.com", "127.0.0.1.example.com", "example.com:80"]:
            self.expect(403, "GET", "/api/media", Host=host)
        for origin in ["http://example.com", "null", "https://" + self.host, "http://127.0.0.1:1"]:
            self.expect(403, "GET", "/api/media", Origin=origin)
            self.expect(403, "POST", "/api/renders", "{}", Origin=origin)
        self.expect(403, "GET", "/api/media", Sec_Fetch_Site="cross-site")
        self.expect(200, "GET", "/api/media", Origin="http://" + self.host)

    def test_no_path_of_a_client_is_opened(self):
        secret = self.folder / "secret.txt"
        secret.write_text("secret")
        for path in [
                "/../../etc/hostname", "/%2e%2e/%2e%2e/etc/hostname", "/..%2f..%2fetc%2fhostname",
                "/studio.sqlite", "/media/", "//etc/hostname", "/api/media/..%2f..%2fstudio.sqlite/strip",
                "/api/media/../../studio.sqlite/strip", f"/api/media/{secret}/strip",
                "/api/media/%2Fetc%2Fhostname/strip", "/api/renders/..%2f..%2fstudio/stream",
                "/api/renders/..%2f..%2fstudio/download",
                "/api/curves/..%2fstudio/file"]:
            status, _, body = self.ask("GET", path)
            self.assertIn(status, (400, 404), path)
            self.assertNotIn(b"SQLite", body)
        for file in ["../clip.mov", str(self.clip), "studio.sqlite", "/etc/hostname"]:
            self.expect(404, "POST", "/api/media", json.dumps({"file": file}),
                        Content_Type="application/json")

    def test_an_uploads_name_leads_nowhere(self):
        before, known = set(self.folder.iterdir()), set(self.workspace.rglob("*.mov"))
        status, _, body = self.ask(
            "POST", "/api/uploads?name=..%2F..%2Fevil%2F..%2F%00clip.mov", self.clip.read_bytes())
        self.assertEqual(status, 201)
        self.assertEqual(json.loads(body)["name"], "clip.mov")
        self.assertEqual(set(self.folder.iterdir()), before)
        new = set(self.workspace.rglob("*.mov")) - known
        # It keeps its name, in a folder of its own.
        self.assertEqual([(path.name, path.parent.parent) for path in new], [("clip.mov", self.workspace / "media")])

    def test_what_isnt_media_is_refused_whatever_its_name(self):
        before = self.all_files()
        for content in [b"plain text", b"", b"\x00" * 4096, b"#EXTM3U\n/etc/hostname\n",
                        b"ffconcat version 1.0\nfile /etc/hostname\n"]:
            status, _, body = self.ask("POST", "/api/uploads?name=a.mp4", content)
            self.assertEqual(status, 415, content)
        self.assertEqual(self.all_files(), before)

    def test_an_upload_that_breaks_off_leaves_nothing(self):
        connection = http.client.HTTPConnection(self.host)
        connection.putrequest("POST", "/api/uploads?name=a.mov")
        connection.putheader("Authorization", f"Bearer {self.token}")
        connection.putheader("Content-Length", "1000000")
        before = self.all_files()
        connection.endheaders(b"x" * 100_000)
        connection.sock.shutdown(socket.SHUT_RDWR)
        connection.close()
        poll(lambda: self.all_files() == before, "the file of an upload that broke off stayed")

    def all_files(self):
        return {path for folder in ("media", "uploads", "results")
                for path in (self.workspace / folder).rglob("*")}

    def test_large_and_broken_json_is_refused(self):
        for path in ["/api/evaluate", "/api/renders", "/api/curves"]:
            self.expect(413, "POST", path, "[" + "1," * MIB + "1]")
            for body in ["", "{", "[]", "null", '{"media": 1}', "[" * 100_000]:
                status = self.ask("POST", path, body)[0]
                self.assertIn(status, (400, 422), (path, body[:20]))
        self.expect(413, "PUT", "/api/session", "[" + "1," * MIB + "1]")
        self.expect(400, "PUT", "/api/session", "{")

    def test_links_that_lead_out_of_the_workspace_arent_listed(self):
        shutil.copy(self.clip, self.workspace / "own.mov")
        os.symlink(self.clip, self.workspace / "link.mov")
        os.symlink(self.folder, self.workspace / "folder")
        names = [file["name"] for file in self.json("GET", "/api/files")["files"]]
        self.assertIn("own.mov", names)
        self.assertNotIn("link.mov", names)
        self.assertFalse([name for name in names if name.startswith("folder/")])

    def test_a_picked_file_stays_where_it_is(self):
        folder = self.workspace / "my films"
        folder.mkdir()
        shutil.copy(self.clip, folder / "own.mov")
        files = self.json("GET", "/api/files")["files"]
        file = next(file for file in files if file["name"] == "my films/own.mov")
        status, _, body = self.ask(
            "POST", "/api/media", json.dumps({"file": file["id"]}), Content_Type="application/json")
        self.assertEqual(status, 201)
        media = json.loads(body)
        self.assertEqual(media["name"], "own.mov")
        # A second time it is the same clip.
        self.assertEqual(self.json("POST", "/api/media", {"file": file["id"]})["id"], media["id"])
        self.expect(204, "DELETE", f"/api/media/{media['id']}")
        self.assertTrue((folder / "own.mov").exists())

    def test_a_composition_in_the_workspace_is_a_clip(self):
        folder = self.workspace / "edit"
        folder.mkdir()
        shutil.copy(self.clip, folder / "a.mov")
        part = {"media": "a.mov", "range": ["0", "0.5"]}
        (folder / "edit.json").write_text(json.dumps({
            "timewarp": "composition/1",
            "tracks": [{"segments": [part, {**part, "play": "reversed"}]}]}))
        (folder / "other.json").write_text("{}")
        files = {file["name"]: file["id"] for file in self.json("GET", "/api/files")["files"]}
        self.assertNotIn("edit/other.json", files)
        media = self.json("POST", "/api/media", {"file": files["edit/edit.json"]})
        path = f"/api/media/{media['id']}"
        self.assertEqual((media["duration"], media["analysis"]), (1, "waiting"))
        poll(lambda: self.json("GET", path)["analysis"] == "ready", "the composition is never shown")
        for picture in ("poster", "strip"):
            self.expect(200, "GET", f"{path}/{picture}")
        self.assertEqual(len(self.json("GET", path + "/inspect")["tracks"][0]["segments"]), 2)
        segment = {"warp": {"curve": "ramp"}, "duration": "2"}
        request = job_request(media["id"], segment, video={"preset": "ultrafast"})
        self.assertEqual(self.json("POST", "/api/evaluate", request)["outputDuration"], 2)
        render = self.json("POST", "/api/renders", request)
        self.wait_for(render["id"], "finished")
        # Its files are opened again after one changed.
        (folder / "a.mov").unlink()
        status, _, body = self.ask("POST", "/api/evaluate", json.dumps(request))
        self.assertEqual(status, 404)
        self.assertIn("A media file can't be found: a.mov. Put what is missing", json.loads(body)["error"]["message"])

    def test_the_documents_paths_are_the_servers(self):
        document = self.json("GET", "/api/openapi.json")
        self.assertEqual(document["openapi"], "3.1.0")
        for path, methods in document["paths"].items():
            for method in methods:
                if method in ("get", "delete") and path != "/api/events":
                    status = self.ask(method.upper(), re.sub(r"\{\w+\}", "none", path))[0]
                    expected = 404 if "{" in path else 200
                    self.assertEqual(status, expected, (method, path))


class Load(StudioServer):
    def test_200_range_requests_at_once_while_rendering_all_succeed(self):
        done = self.json("POST", "/api/renders", job_request(self.sample(), {"scale": 1}))["id"]
        self.wait_for(done, "finished")
        render = self.json("POST", "/api/renders", self.slow_request())["id"]
        self.wait_for(render, "running")
        whole = self.ask("GET", f"/api/renders/{done}/download")[2]
        wrong = []

        def read(number):
            start = (number * 7919) % (len(whole) - 5000)
            status, headers, body = self.ask(
                "GET", f"/api/renders/{done}/download", Range=f"bytes={start}-{start + 4999}")
            expected = f"bytes {start}-{start + 4999}/{len(whole)}"
            if (status, body, headers["Content-Range"]) != (206, whole[start:start + 5000], expected):
                wrong.append((number, status))

        threads = [threading.Thread(target=read, args=[number]) for number in range(200)]
        begin = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        print(f"\n  200 ranges in {time.monotonic() - begin:.2f} s", end=" ")
        self.assertEqual(wrong, [])
        self.assertEqual(self.json("GET", f"/api/renders/{render}")["state"], "running")
        self.ask("POST", f"/api/renders/{render}/cancel")
        self.wait_for(render, "cancelled")

    @unittest.skipUnless(Path("/proc/self/status").exists(), "memory is read from /proc")
    def test_an_upload_of_2_gb_takes_flat_memory(self):
        clip = self.clip.read_bytes()
        size = 2 * 1024 * MIB
        # A `free` atom makes the clip as large as needed.
        padding = size - len(clip)
        header = padding.to_bytes(4, "big") + b"free"
        before, peaks, block = self.studio.memory, [], bytes(MIB)

        def body():
            yield clip
            yield header
            left = padding - 8
            while left > 0:
                yield block[:left]
                left -= min(left, MIB)
                if left // MIB % 64 == 0:
                    peaks.append(self.studio.memory)

        begin = time.monotonic()
        status, _, answer = self.ask(
            "POST", "/api/uploads?name=large.mov", body(), Content_Length=str(size))
        self.assertEqual(status, 201, answer)
        self.assertEqual(json.loads(answer)["bytes"], size)
        grown = max(peaks) - before
        print(f"\n  2 GiB in {time.monotonic() - begin:.1f} s, {grown / MIB:.0f} MiB more", end=" ")
        self.assertLess(grown, 64 * MIB)


class Restart(OwnStudio):
    """A test in a separate workspace, so that it can count the files there."""

    def test_after_a_kill_all_is_found_again_and_what_ran_is_interrupted(self):
        self.json("POST", "/api/curves", {"name": "Kept", "curve": {"curve": "ramp"}})
        self.ask("PUT", "/api/session", '{"view": "speed"}')
        done = self.json("POST", "/api/renders", self.slow_request(1))["id"]
        self.wait_for(done, "finished")
        render = self.json("POST", "/api/renders", self.slow_request())["id"]
        self.wait_for(render, "running")
        os.kill(self.studio.process, signal.SIGKILL)
        self.studio.close()
        self.workshop.start()
        self.use(self.workshop)
        self.assertEqual(self.json("GET", f"/api/renders/{render}")["state"], "interrupted")
        finished = self.json("GET", f"/api/renders/{done}")
        self.assertEqual(finished["state"], "finished")
        self.assertEqual(finished["report"]["durationErrorSeconds"], 0)
        self.assertEqual(self.ask("GET", f"/api/renders/{done}/download")[0], 200)
        self.assertEqual(self.json("GET", "/api/curves")["curves"][0]["name"], "Kept")
        self.assertEqual(self.json("GET", "/api/session")["session"], {"view": "speed"})
        left = sorted(path.name for path in (self.workspace / "results").iterdir())
        self.assertEqual(left, [done])
        again = self.json("POST", f"/api/renders/{render}/again")
        self.assertIn(again["state"], ("queued", "running"))


class Commands(StudioServer):
    """Compares the command line that the page shows with what the page says about the result."""

    REQUESTS = [
        {"segment": {"warp": {"curve": "double-smoothstep"}}},
        {"segment": {"warp": {"curve": "cosine", "factor": 0.7, "modifier": 0.31, "flip": True}}},
        {"segment": {"warp": {"scale": "1 + 0.5*sin(2*pi*t)"}, "duration": "2.5"}},
        {"segment": {"warp": {"keyframes": [
            {"at": "0", "speed": 1}, {"at": "40%", "speed": 0.25}, {"at": "1", "speed": 2}]}}},
        {"segment": {"warp": {"keyframes": [
            {"at": "0s", "speed": 1, "easing": "linear"}, {"at": "1s", "speed": -0.25, "easing": "hold"},
            {"at": "2s", "speed": 1}]}}},
        {"segment": {"range": ["0.5", "2"], "warp": {"curve": "ramp"}, "thereAndBack": True},
         "video": {"rate": "60", "frames": "blend"}, "audio": {"mode": "keep-pitch"}},
        {"segment": {"range": ["0.5"], "speed": "3/2", "thereAndBack": True}},
        {"segment": {"warp": {"curve": "ramp"}, "oneWay": "1001/300", "thereAndBack": True}},
        {"segment": {"speed": 3}, "video": {"rate": "any"}},
        {"segment": {"scale": 1.1}, "output": {"path": "made.mkv", "range": ["0.5", "1.5"]}},
        {"segment": {"duration": "1:01.5"}},
        {"segment": {"longerBy": "-0.25"}, "carries": "sound"},
        {"segment": {"duration": "2.75"}, "carries": "sound", "audio": {"mode": "keep-pitch"}},
        {"segment": {"warp": {"scale": "-0.5*t + 1.5"}}},
        {"segment": {"speed": 0.8}, "audio": {"mode": "keep-pitch", "tune": "speech"}},
        {"segment": {"speed": 3}, "video": {"frames": "blend", "skipRepeats": True, "shutter": 180},
         "audio": {"mode": "keep-pitch", "freeze": "hold"}},
        {"segment": {"play": "reversed"}, "audio": {"mode": "keep"}},
        {"segment": {"play": "reversed"}, "audio": {"mode": "mute"}},
    ]

    def test_the_command_line_makes_what_the_page_shows(self):
        shutil.copy(self.clip, self.workspace / "it's mine.mov")
        file = next(file for file in self.json("GET", "/api/files")["files"]
                    if file["name"] == "it's mine.mov")
        media = json.loads(self.ask(
            "POST", "/api/media", json.dumps({"file": file["id"]}),
            Content_Type="application/json")[2])
        for request in self.REQUESTS:
            evaluation = self.json("POST", "/api/evaluate", job_request(media["id"], **request))
            self.assertIn("command", evaluation, (request, evaluation))
            if "curveFile" in evaluation:
                (self.workspace / "curve.json").write_text(json.dumps(evaluation["curveFile"]))
            words = shlex.split(evaluation["command"])
            self.assertEqual(words[0], "timewarp")
            tune = request.get("audio", {}).get("tune")
            self.assertEqual(words[words.index("--tune") + 1] if "--tune" in words else None, tune)
            words = [os.environ["TIMEWARP"], *words[1:], "--dry-run"]
            plan = subprocess.run(words, cwd=self.workspace, capture_output=True, text=True)
            self.assertEqual(plan.returncode, 0, (evaluation["command"], plan.stderr))
            line = next(line for line in plan.stdout.splitlines() if " becomes " in line)
            seconds = float(line.split(" becomes ")[1].split()[0])
            self.assertAlmostEqual(
                seconds, evaluation["outputDuration"], delta=1e-3, msg=evaluation["command"])


if __name__ == "__main__":
    unittest.main()
