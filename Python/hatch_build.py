"""The wheel is one for a platform where it carries the program, and for all where it doesn't."""

from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Platform(BuildHookInterface):
    def initialize(self, version, build_data):
        if Path(self.root, "timewarp_video/bin/timewarp").exists():
            build_data.update(pure_python=False, tag="py3-none-linux_x86_64")
