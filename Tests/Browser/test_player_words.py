"""The player speaks the story's language, or the author's words, and turns round where it is written from the right."""

import json
import shutil
import tempfile
import unittest
from pathlib import Path

from accessibility import violations
from fixture import FRAME_RATE, make_clip
from server import Server
from shared import PATIENCE, browser
from story import timewarp

SEGMENTS = {
    "one": {"media": "clip.mov", "range": ["0", f"40/{FRAME_RATE}"],
            "events": [{"at": "0.1", "do": "showControls"}],
            "choices": [{"label": "Ja", "goto": "two"}, {"label": "لا", "goto": "two"}], "default": "two"},
    "two": {"media": "clip.mov", "range": ["1", "1.5"], "role": "epilogue"},
}


class Words(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="words-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        make_clip(cls.folder / "clip.mov", 60)

    def open(self, language, strings=None, is_single=False):
        """Builds a story in a language, and opens it in a browser whose language is Danish."""
        story = {"timewarp": "story/1", "title": "T", "language": language, "start": "one",
                 "segments": SEGMENTS}
        if strings is not None:
            (self.folder / "words.json").write_text(json.dumps(strings))
            story["strings"] = "words.json"
        (self.folder / "story.json").write_text(json.dumps(story))
        film = self.folder / ("film.html" if is_single else "film")
        timewarp("story", "build", self.folder / "story.json", "--preset", "ultrafast", "-o", film,
                 "--overwrite", *(["--single-file"] if is_single else []))
        if is_single:
            url = film.as_uri()
        else:
            server = Server(film)
            self.addCleanup(server.close)
            url = server.url
        context = browser().new_context(locale="da-DK")
        self.addCleanup(context.close)
        self.errors = []
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(url)
        page.wait_for_selector("#card button")
        return page

    def offer(self, page):
        """Begins the story, and waits until it offers its choices."""
        page.locator("#card button").first.click()
        page.wait_for_selector("#choices button")
        return page.locator("#live").inner_text()

    def test_it_speaks_the_storys_language(self):
        page = self.open("fr-CA")
        self.assertEqual(page.locator("#card button").inner_text(), "Lire")
        self.assertEqual(page.evaluate("document.documentElement.lang"), "fr-CA")
        self.assertEqual(page.evaluate("document.querySelectorAll('main [lang]:not(#captions)').length"), 0)
        self.assertRegex(self.offer(page), r"^Faites un choix\xa0: 1, Ja\u202f; 2, لا\. Il vous reste 2\ssecondes\.$")
        # Nothing of the page is left in English.
        names = page.evaluate(
            "[...document.querySelectorAll('[aria-label]')].map((each) => each.getAttribute('aria-label'))")
        self.assertEqual({"Play", "Controls", "Scenes", "Settings", "Full screen", "Story"} & set(names), set())
        self.assertEqual(self.errors, [])

    def test_words_that_nobody_translated_are_marked_as_english(self):
        page = self.open("pt-BR")
        self.assertEqual(page.evaluate("document.documentElement.lang"), "pt-BR")
        self.assertEqual(page.evaluate("document.querySelector('.foot').lang"), "en")
        self.assertEqual(page.evaluate("document.getElementById('live').lang"), "en")
        self.assertEqual(page.evaluate("document.querySelector('#card .buttons').lang"), "en")
        self.assertEqual(page.evaluate("document.querySelector('#card h2').lang"), "", "the title is the author's")

    def test_the_authors_words_are_used_in_a_page_and_in_one_file(self):
        strings = {"play": "Comece </script><b>", "settings": "Ajustes"}
        for is_single in (False, True):
            page = self.open("pt-BR", strings, is_single)
            self.assertEqual(page.locator("#card button").inner_text(), "Comece </script><b>")
            self.assertTrue(page.get_by_role("button", name="Ajustes").is_visible())
            self.assertEqual(page.evaluate("document.querySelector('.foot').lang"), "")
            self.assertEqual(self.errors, [])

    def test_a_page_in_arabic_is_turned_round(self):
        strings = json.loads(timewarp("story", "strings", "en"))
        strings.update(play="تشغيل", back="رجوع إلى آخر اختيار", settings="الإعدادات", speed="السرعة")
        page = self.open("ar", strings)
        self.assertEqual(page.evaluate("document.documentElement.dir"), "rtl")

        def left(selector):
            return page.locator(selector).first.bounding_box()["x"]
        self.offer(page)
        page.keyboard.press("k")
        self.assertGreater(left("#play"), left("#back"))
        self.assertGreater(left("#back"), left("#full"))
        self.assertGreater(left("#choices button:first-child"), left("#choices button:last-child"))
        page.locator("#settings-button").click()
        self.assertLess(left("#settings"), 200, "the panel is at the end of the bar, which is on the left")
        self.assertEqual(page.evaluate("document.documentElement.scrollWidth <= innerWidth"), True)
        self.assertEqual(violations(page), [])
        self.assertEqual(self.errors, [])


if __name__ == "__main__":
    unittest.main()
