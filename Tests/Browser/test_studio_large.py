"""Workspaces with many clips, and long clips: what they cost is processor time, which a busy machine doesn't change."""

import json
import shutil
import subprocess
import unittest
from pathlib import Path

from fixture import make_clip
from shared import browser, computing, poll
from studio import job_request
from test_studio_doors import MIB, OwnStudio

CLIPS = 100
MINUTES = 60


@unittest.skipUnless(Path("/proc/self/stat").exists(), "processor time is read from /proc")
class Large(OwnStudio):
    def pick(self, *names):
        """Imports files of the workspace without a copy, and returns their identifiers."""
        files = {each["name"]: each["id"] for each in self.json("GET", "/api/files")["files"]}
        return [self.json("POST", "/api/media", {"file": files[name]})["id"] for name in names]

    def computed(self, act):
        """What `act` gives, and the seconds of processor time that the studio spent meanwhile."""
        before = self.studio.computed
        result = act()
        return result, self.studio.computed - before

    def are_ready(self):
        """Whether everything has been made that the list shows of the clips."""
        media = self.json("GET", "/api/media")["media"]
        return all(each["analysis"] != "waiting" for each in media)


class Hundred(Large):
    def test_a_workspace_with_a_hundred_clips(self):
        make_clip(self.folder / "short.mov", 5)
        # One that needs no copy for the browser.
        short = self.folder / "short.mp4"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", self.folder / "short.mov", "-c:v", "copy", "-c:a", "aac", short],
                       check=True)
        for number in range(CLIPS):
            shutil.copy(short, self.workspace / f"{number}.mp4")
        self.pick(*(f"{number}.mp4" for number in range(CLIPS)))
        poll(self.are_ready, "small frames never came")
        self.studio.close()
        self.workshop.start()
        self.use(self.workshop)
        self.assertEqual(len(self.json("GET", "/api/media")["media"]), CLIPS + 1)
        starting = self.studio.computed
        context = browser().new_context(viewport={"width": 1440, "height": 900})
        self.addCleanup(context.close)
        page = context.new_page()

        def open_page():
            page.goto(self.studio.url)
            page.wait_for_function("() => document.documentElement.dataset.ready === 'true'")
            page.wait_for_function(f"() => document.querySelectorAll('#media > li').length === {CLIPS + 1}")
        _, opening = computing(page, open_page)
        print(f"\n  {CLIPS} clips: the studio starts in {starting:.2f} s of processor time, its page in {opening:.2f} s",
              end=" ")
        # One clip takes about 0.1 s and 0.3 s.
        self.assertLess(starting, 0.5)
        self.assertLess(opening, 1.5)
        # The list scrolls to the clip that comes to be the chosen one: undoing shows the clip that had been changed.
        page.get_by_role("switch", name="Flip").click()
        page.locator("#media button.pick").last.click()
        page.get_by_role("button", name="Undo").click()
        page.wait_for_function("""() => {
            const chosen = document.querySelector("#media [aria-current]"), box = chosen.getBoundingClientRect();
            return chosen === document.querySelector("#media button.pick")
                && chosen.contains(document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2));
        }""")


class Frames(Large):
    def test_what_large_frames_took_is_given_back(self):
        subprocess.run([
            "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=15:duration=2", "-preset", "ultrafast",
            self.workspace / "large.mp4"], check=True)
        before = self.studio.memory
        media, = self.pick("large.mp4")
        poll(self.are_ready, "small frames never came")
        made = []
        for rate in (10, 30):
            request = job_request(media, {"speed": 1}, video={"rate": str(rate), "preset": "ultrafast"})
            made.append(self.json("POST", "/api/renders", request)["id"])
        self.wait_for(made[1], "finished")
        poll(lambda: self.studio.memory < before + 40 * MIB, "the studio keeps what its renders took")


class Hour(Large):
    def long(self, minutes):
        """A clip of this many minutes, each the same."""
        minute, path = self.folder / "minute.mp4", self.workspace / f"{minutes} min.mp4"
        make = ["ffmpeg", "-v", "error", "-y"]
        if not minute.exists():
            video = ["-f", "lavfi", "-i", "color=size=16x16:rate=25:duration=60"]
            sound = ["-f", "lavfi", "-i", "sine=duration=60:sample_rate=8000"]
            subprocess.run([*make, *video, *sound, "-pix_fmt", "yuv420p", "-preset", "ultrafast", minute], check=True)
        subprocess.run([*make, "-stream_loop", str(minutes - 1), "-i", minute, "-c", "copy", path], check=True)
        return self.pick(path.name)[0]

    def evaluated(self, media):
        request = job_request(media, {"warp": {"curve": "triangle", "factor": 3}})
        return self.computed(lambda: self.json("POST", "/api/evaluate", request))

    def test_the_curve_of_an_hour_costs_no_more_than_that_of_a_minute(self):
        times = {}
        for minutes in (1, MINUTES):
            media = self.long(minutes)
            poll(self.are_ready, "its small frames never came")
            evaluation, times[minutes] = self.evaluated(media)
            self.assertGreater(evaluation["outputDuration"], 60 * minutes)
            self.assertLess(len(json.dumps(evaluation)), 1 << 20)
        print(f"\n  evaluated in {times[1]:.2f} s of processor time for a minute, {times[MINUTES]:.2f} s for "
              f"{MINUTES} minutes", end=" ")
        # The system counts in hundredths of a second.
        self.assertLess(times[MINUTES], times[1] + 0.1)
