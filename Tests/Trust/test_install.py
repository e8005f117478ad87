"""What `make install` installs: manual pages, and completions that real shells can load."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ["TIMEWARP"]
COMMANDS = ["warp", "scale", "reverse", "stretch", "compose", "story", "copy", "plot", "inspect",
            "beats", "verify", "studio", "demo"]


def run(*command, **environment):
    """Runs a command that must succeed, and returns what it prints to stdout and stderr."""
    result = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        env={**os.environ, "LC_ALL": "C.UTF-8", **environment})
    assert result.returncode == 0, f"{command}: {result.returncode}: {result.stdout}"
    return result.stdout


class InstallTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run(ROOT / "Scripts/install", PROGRAM, DESTDIR=str(cls.folder), PREFIX="/usr")
        cls.share = cls.folder / "usr/share"
        cls.path = f"{cls.folder}/usr/bin:{os.environ['PATH']}"

    def test_every_command_has_a_page_in_which_nothing_is_wrong(self):
        pages = sorted((self.share / "man/man1").iterdir())
        names = [page.name for page in pages]
        for command in COMMANDS:
            self.assertIn(f"timewarp-{command}.1", names)
        self.assertIn("timewarp-story-build.1", names)
        for page in pages:
            warnings = run("sh", "-c", 'man --warnings -E UTF-8 -l -Tutf8 -Z "$0" 2>&1 >/dev/null', page)
            self.assertEqual(warnings, "", page.name)
        self.assertEqual(run("mandoc", "-T", "lint", "-W", "warning", *pages), "")

    def test_every_option_is_in_its_command_s_page(self):
        for command in COMMANDS:
            text = run("man", "-P", "cat", "-l", self.share / f"man/man1/timewarp-{command}.1")
            for word in run(PROGRAM, command, "--help").split():
                option = word.rstrip(",.;:)")
                if option.startswith("--") and option.strip("-").replace("-", "").isalpha():
                    self.assertIn(option, text, command)

    def test_bash_completes_commands_options_and_values(self):
        script = f"""
            . '{self.share}/bash-completion/completions/timewarp'
            complete_line() {{
                COMP_LINE="$*"; COMP_POINT=${{#COMP_LINE}}; COMP_WORDS=("$@")
                COMP_CWORD=$(($# - 1)); COMPREPLY=()
                _timewarp timewarp "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
                echo "${{COMPREPLY[@]}}"
            }}
            complete_line timewarp rev
            complete_line timewarp warp --cur
            complete_line timewarp warp --curve tri
            """
        self.assertEqual(
            run("bash", "--norc", "-c", script, PATH=self.path).split("\n")[:3],
            ["reverse", "--curve --curve-file", "triangle"])

    def test_zsh_loads_its_completions(self):
        script = f"""
            fpath=('{self.share}/zsh/site-functions' $fpath)
            autoload -Uz compinit && compinit -u -d '{self.folder}/zcompdump'
            print -r -- $_comps[timewarp]
            autoload +X _timewarp && print -r -- loaded
            """
        self.assertEqual(
            run("zsh", "-f", "-c", script, PATH=self.path).split(), ["_timewarp", "loaded"])

    def test_fish_completes_commands_options_and_values(self):
        script = f"source '{self.share}/fish/vendor_completions.d/timewarp.fish'; complete -C "
        for line, expected in [("'timewarp rev'", "reverse"), ("'timewarp warp --cur'", "--curve"),
                               ("'timewarp warp --curve tri'", "triangle")]:
            words = run("fish", "--no-config", "-c", script + line, PATH=self.path)
            self.assertIn(expected, [each.split("\t")[0] for each in words.split("\n")])

    def test_removal_leaves_what_others_put_there(self):
        with tempfile.TemporaryDirectory() as folder:
            places = {"DESTDIR": folder, "PREFIX": "/usr"}
            run(ROOT / "Scripts/install", PROGRAM, **places)
            other = Path(folder, "usr/share/man/man1/timewarp-other.1")
            other.write_text(".TH OTHER 1\n")
            run(ROOT / "Scripts/install", "--remove", **places)
            left = [path for path in Path(folder).rglob("*") if not path.is_dir()]
            self.assertEqual(left, [other])


if __name__ == "__main__":
    unittest.main()
