"""The commands of the page for coding agents."""

import os
import re
import subprocess
import unittest
from pathlib import Path

from module import ROOT, ModuleTest, write_clip

SKILL = ROOT / "Documentation/skills/timewarp/SKILL.md"


class Skill(ModuleTest):
    def run_shell(self, script):
        folder = Path(os.environ["TIMEWARP"]).resolve().parent
        done = subprocess.run(
            ["sh", "-euc", script], env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}, capture_output=True,
            text=True)
        self.assertEqual(done.returncode, 0, script + done.stderr)

    def test_its_commands_run_as_they_stand(self):
        blocks = re.findall(r"^```sh\n(.*?)^```$", SKILL.read_text(), re.M | re.S)
        self.assertEqual(len(blocks), 3)
        for block in blocks:
            self.run_shell(block)

    def test_what_its_table_says_is_known(self):
        write_clip("a.mp4", seconds=1)
        write_clip("b.mp4", seconds=1)
        rows = re.findall(r"^\| [^|]+ \| (.*) \|$", SKILL.read_text(), re.M)[2:]
        commands = [code for row in rows for code in re.findall(r"`([^`]+)`", row)]
        whole = [each for each in commands if re.match(r"(scale|warp|reverse|stretch|compose) \S", each) and "…" not in each]
        self.assertGreaterEqual(len(whole), 5)
        for index, command in enumerate(whole):
            command = command.replace("IN", "in.mp4").replace("OUT", f"{index}.mp4")
            if "rec.wav" not in command:
                self.run_shell("timewarp " + command)


if __name__ == "__main__":
    unittest.main()
