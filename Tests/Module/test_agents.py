"""`timewarp mcp`, by the protocol's own client and by messages that no client would send."""

import asyncio
import base64
import json
import os
import random
import subprocess
import unittest
from pathlib import Path

from mcp import ClientSession, StdioServerParameters, stdio_client
from mcp.shared.exceptions import MCPError
from module import FRAMES, ModuleTest, write_clip

HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize",
         "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}}


def job(output="out.mp4", media="in.mp4", **segment):
    return {"timewarp": "job/1", "output": {"path": output},
            "timeline": {"format": "source", "tracks": [{"segments": [{"media": media, **segment}]}]}}


class Agents(ModuleTest):
    def converse(self, conversation):
        """Runs a conversation with a server for the folder `here`."""
        async def run():
            program = StdioServerParameters(command=os.environ["TIMEWARP"], args=["mcp", "here"])
            async with stdio_client(program) as streams, ClientSession(*streams) as session:
                await session.initialize()
                await conversation(session)
        Path("here").mkdir(exist_ok=True)
        Path("in.mp4").rename("here/in.mp4")
        asyncio.run(run())

    @property
    def files(self):
        return sorted(each.name for each in Path("here").iterdir())

    def test_a_conversation_from_a_look_at_the_clip_to_the_measured_render(self):
        async def conversation(session):
            async def call(tool, **arguments):
                answer = await session.call_tool(tool, arguments)
                self.assertFalse(answer.is_error, answer.content)
                return answer.content

            async def told(tool, **arguments):
                [text] = await call(tool, **arguments)
                return json.loads(text.text)

            tools = {each.name: each for each in (await session.list_tools()).tools}
            self.assertEqual(set(tools), {"inspect", "beats", "plot", "plan", "render", "verify"})
            self.assertEqual([name for name, each in tools.items() if not each.annotations.read_only_hint], ["render"])
            resources = [str(each.uri) for each in (await session.list_resources()).resources]
            [guide] = (await session.read_resource("timewarp://guides/jobs")).contents
            self.assertIn("job/1", guide.text)
            [schema] = (await session.read_resource("timewarp://schema/job")).contents
            self.assertEqual(json.loads(schema.text)["title"], "TimeWarp job")
            self.assertGreater(len(resources), 15)
            clip = await told("inspect", path="in.mp4")
            self.assertEqual([each["kind"] for each in clip["streams"]], ["video", "audio"])
            self.assertEqual((await told("beats", path="in.mp4"))["beats"], [])
            [picture] = await call("plot", curve={"keyframes": [{"at": "0", "speed": 1}, {"at": "1", "speed": 0.25}]},
                                   duration="2")
            self.assertEqual(base64.b64decode(picture.data)[1:4], b"PNG")
            ramp = job(warp={"curve": "ramp", "factor": 2})
            plan = await told("plan", job=ramp)
            self.assertEqual((plan["outputDurationSeconds"], plan["outputExists"]), (3, False))
            seen = []

            async def listen(fraction, total, message):
                seen.append(fraction)
            answer = await session.call_tool("render", {"job": ramp}, progress_callback=listen)
            report = json.loads(answer.content[0].text)
            self.assertEqual(report["video"][0]["framesWritten"], plan["video"][0]["frames"])
            self.assertEqual((seen[-1], sorted(seen)), (1, seen))
            self.assertTrue((await told("verify", job=ramp))["isRight"])
            self.assertFalse((await told("verify", job=job(play="reversed"), output="out.mp4"))["isRight"])
            self.assertTrue((await told("plan", job=ramp))["outputExists"])
            refused = await session.call_tool("render", {"job": ramp})
            self.assertTrue(refused.is_error)
            self.assertIn("exists", refused.content[0].text)
            # Nor does a job itself decide that.
            refused = await session.call_tool("render", {"job": {**ramp, "output": {"path": "out.mp4", "existing": "overwrite"}}})
            self.assertTrue(refused.is_error)
            slow = await told("render", job=job(speed="1/2"), overwrite=True)
            self.assertEqual(slow["video"][0]["framesWritten"], 2 * FRAMES)
            both = await asyncio.gather(told("inspect", path="out.mp4"), told("render", job=job("back.mkv", play="reversed")))
            self.assertAlmostEqual(both[0]["durationSeconds"], 4, delta=0.1)
            wrong = await session.call_tool("plan", {"job": job(warp={"curve": "ramp", "factr": 2})})
            self.assertIn('timeline.tracks[0].segments[0].warp: "factr" means nothing here', wrong.content[0].text)
            self.assertEqual(self.files, ["back.mkv", "in.mp4", "out.mp4"])
        self.converse(conversation)

    def test_nothing_outside_of_the_folders_is_read_or_written(self):
        write_clip("secret.mp4", seconds=1)
        Path("here").mkdir()
        Path("here/link.mp4").symlink_to("../secret.mp4")
        Path("here/away").symlink_to("..")
        Path("here/nowhere.mp4").symlink_to("../new.mp4")
        edit = {"timewarp": "composition/1", "tracks": [{"segments": [{"media": "../secret.mp4", "range": ["0", "1"]}]}]}
        Path("here/edit.json").write_text(json.dumps(edit))
        Path("here/lost.json").write_text(json.dumps(edit).replace("../secret.mp4", "/gone/secret.mp4"))
        Path("here/b.fcpxmld").mkdir()
        whole = str(self.folder / "secret.mp4")

        async def conversation(session):
            async def refusal(tool, **arguments):
                answer = await session.call_tool(tool, arguments)
                self.assertTrue(answer.is_error, (tool, arguments, answer.content))
                return answer.content[0].text
            before = self.files
            for name in ["../secret.mp4", "link.mp4", "away/secret.mp4", whole, "/etc/passwd", "file://" + whole,
                         "http://localhost/secret.mp4"]:
                for tool in ("inspect", "beats"):
                    self.assertRegex(await refusal(tool, path=name), "outside|address")
                for tool in ("plan", "render", "verify"):
                    self.assertRegex(await refusal(tool, job=job("new.mkv", name)), "outside|address")
                    self.assertRegex(await refusal(tool, job=job("new.mkv", name, range=["0", "1"])), "outside|address")
            for name in ["../new.mp4", "away/new.mp4", "nowhere.mp4", "/tmp/new.mp4", "link.mp4"]:
                self.assertRegex(await refusal("render", job=job(name), overwrite=True), "outside|no such folder")
            self.assertIn("outside", await refusal("plan", job=job("new.mkv", "edit.json")))
            # Nor is a name that a timeline has a way out, nor a folder of a package.
            for name in ("../new.mp4", whole):
                named = job(name)
                named["timeline"]["timelines"] = [{"name": name, "tracks": []}]
                self.assertIn("outside", await refusal("render", job=named, overwrite=True))
                self.assertIn("outside", await refusal("verify", job=named))
            self.assertIn("packages", await refusal("plan", job=job("new.mkv", "b.fcpxmld/")))
            # What isn't allowed isn't looked for, either.
            lost = {**job("new.mkv", "lost.json"), "resources": {"mediaFolders": [str(self.folder)]}}
            self.assertNotIn("secret", await refusal("plan", job=lost))
            for resources in [{"temporaryFolder": "/tmp"}, {"mediaFolders": [".."]}, {"sequenceRate": 24}]:
                self.assertRegex(await refusal("render", job={**job(), "resources": resources}), "outside|sequences")
            copied = {"mode": "copied", "file": "../secret.mp4"}
            self.assertIn("outside", await refusal("render", job={**job(), "video": copied}))
            self.assertIn("name of a file", await refusal("render", job=job("-")))
            self.assertRegex(await refusal("render", job=job("in.mp4"), overwrite=True), "input itself")
            self.assertEqual(self.files, before)
        self.converse(conversation)
        self.assertEqual(sorted(each.name for each in self.folder.iterdir()), ["here", "secret.mp4"])

    def test_a_call_is_cancelled_and_leaves_nothing(self):
        async def conversation(session):
            started = asyncio.Event()

            async def listen(fraction, total, message):
                started.set()
            slow = session.call_tool(
                "render", {"job": {**job(speed="1/200"), "video": {"frames": "motion"}}}, progress_callback=listen)
            call = asyncio.create_task(slow)
            await started.wait()
            call.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await call
            # It is gone once the next call has its answer and the file that was begun isn't there.
            for _ in range(1200):
                await session.send_ping()
                if self.files == ["in.mp4"]:
                    break
                await asyncio.sleep(0.05)
            self.assertEqual(self.files, ["in.mp4"])
        self.converse(conversation)

    def test_calls_that_are_wrong_are_told(self):
        async def conversation(session):
            for tool, arguments, words in [
                    ("delete", {}, "the tools are"), ("inspect", {}, "path is missing"),
                    ("inspect", {"path": "in.mp4", "all": True}, "takes no all"), ("render", {}, "job is missing")]:
                with self.assertRaisesRegex(MCPError, words):
                    await session.call_tool(tool, arguments)
            with self.assertRaisesRegex(MCPError, "no such resource"):
                await session.read_resource("timewarp://guides/../README")
        self.converse(conversation)


class HostileMessages(ModuleTest):
    def test_none_ends_the_server(self):
        chance = random.Random(7)
        good = json.dumps(HELLO)
        messages = ["", "[]", "null", "1", '"x"', "{", "[" * 10_000, '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1}',
                    '{"jsonrpc":"1.0","id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":{},"method":"ping"}',
                    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"method":7}',
                    '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', '{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}',
                    '{"jsonrpc":"2.0","id":1,"method":"tools/call"}', '{"jsonrpc":"2.0","method":"tools/call"}',
                    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":7}}',
                    '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', "\xff\xfe", "x" * 1_000_000,
                    '{"jsonrpc":"2.0","id":"' + "y" * 100_000 + '","method":"ping"}',
                    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}']
        while len(messages) < 200:
            data = bytearray(good.encode())
            for _ in range(chance.randrange(1, 6)):
                data[chance.randrange(len(data))] = chance.randrange(32, 256)
            messages.append(data.decode("latin-1").replace("\n", " ").replace("\r", " "))
        ping = '{"jsonrpc":"2.0","id":"end","method":"ping"}'
        done = subprocess.run(
            [os.environ["TIMEWARP"], "mcp"], input=("\n".join([*messages, ping]) + "\n").encode("latin-1"),
            capture_output=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual(answers[-1], {"id": "end", "jsonrpc": "2.0", "result": {}})
        for answer in answers:
            self.assertEqual(answer["jsonrpc"], "2.0")
            self.assertEqual(len({"result", "error"} & set(answer)), 1)
        self.assertGreater(len(answers), 150)

    def test_a_message_larger_than_any_is_refused_and_the_next_one_read(self):
        large = b'{"jsonrpc":"2.0","id":1,"method":"' + b"p" * (33 << 20) + b'"}\n'
        done = subprocess.run(
            [os.environ["TIMEWARP"], "mcp"], input=large + b'{"jsonrpc":"2.0","id":2,"method":"ping"}\n', capture_output=True,
            timeout=120)
        first, second = map(json.loads, done.stdout.splitlines())
        self.assertIn("larger than 32 MiB", first["error"]["message"])
        self.assertEqual((first["id"], second["id"]), (None, 2))

    def test_a_folder_of_the_same_letters_is_another(self):
        Path("\u00e9").mkdir()
        Path("e\u0301").mkdir()
        write_clip("e\u0301/in.mp4", seconds=1)
        call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call",
                "params": {"name": "inspect", "arguments": {"path": str(self.folder / "e\u0301/in.mp4")}}}
        with subprocess.Popen([os.environ["TIMEWARP"], "mcp", "\u00e9"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
            server.stdin.write((json.dumps(call) + "\n").encode())
            server.stdin.flush()
            self.assertIn("outside", json.loads(server.stdout.readline())["result"]["content"][0]["text"])
            server.terminate()
            self.assertEqual(server.wait(), 143)

    def test_folders_must_be_there(self):
        done = subprocess.run([os.environ["TIMEWARP"], "mcp", "missing"], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (66, ""))
        self.assertIn("missing: there is no such folder", done.stderr)


if __name__ == "__main__":
    unittest.main()
