// What the player says in the languages that the program speaks.

import assert from "node:assert/strict";
import { test } from "node:test";

import { timewarp } from "../../../../Tests/Pages/program.js";

const textsOf = (language) => JSON.parse(timewarp("story", "strings", language));

/** The module as it is in a page; `page` is the language of the page if it isn't that of the words. */
async function wordsOf(language, texts, page = language) {
    globalThis.document = {
        getElementById: () => ({ text: JSON.stringify({ language, texts }) }), documentElement: { lang: page },
    };
    return (await import(`./words.js?${language}-${page}`)).words;
}

const OFFERS = {
    "de": "Zur Auswahl: 1: Ja; 2: لا. Noch 2 Sekunden.",
    "fr-CA": "Faites un choix\u00a0: 1, Ja\u202f; 2, لا. Il vous reste 2\u00a0secondes.",
    "es": "Opciones: 1, Ja; 2, لا. 2 segundos para elegir.",
    "ja": "選択してください。1、Ja。2、لا。残り2 秒。",
    "en": "Choose: 1, Ja; 2, لا. 2 seconds to choose.",
};

test("an offer is said in the language of the story, with its numbers and units", async () => {
    for (const [language, offer] of Object.entries(OFFERS)) {
        const words = await wordsOf(language, textsOf(language.slice(0, 2)));
        const said = words.choose(["Ja", "لا"], 1.3);
        // Browsers differ in which space stands before a unit.
        assert.equal(said.replace(/2\s(?=sec|Sek|seg|秒)/u, "2 "), offer.replace("2\u00a0s", "2 s"));
        assert.ok(!words.choose(["Ja"], null).includes("2"), "without a limit none is said");
    }
});

test("each language has other words for the same texts, with the same values in them", () => {
    const english = textsOf("en");
    for (const language of ["de", "fr", "es", "ja"]) {
        const texts = textsOf(language);
        assert.deepEqual(Object.keys(texts), Object.keys(english));
        for (const name of ["play", "scenes", "settings", "fullScreen", "controls"]) {
            assert.notEqual(texts[name], english[name], `${language}: ${name}`);
        }
        for (const [name, text] of Object.entries(texts)) {
            const keys = (each) => (each.match(/\{\w+\}/g) ?? []).sort();
            assert.deepEqual(keys(text), keys(english[name]), `${language}: ${name}`);
        }
    }
});

test("numbers are written as in the language, and a tag that no browser knows is English", async () => {
    const german = await wordsOf("de", textsOf("de"));
    assert.deepEqual([german.number(1.5), german.percent(0.25).replace(/\s/u, " ")], ["1,5", "25 %"]);
    const unknown = await wordsOf("no_language", textsOf("en"));
    assert.deepEqual([unknown.number(1.5), unknown.seconds(1.3)], ["1.5", "2 seconds"]);
});

test("only words in another language than the page are marked", async () => {
    const marked = async (page) => {
        const element = { lang: "" };
        (await wordsOf("en", {}, page)).mark(element);
        return element.lang;
    };
    assert.deepEqual([await marked("pt-BR"), await marked("en")], ["en", ""]);
});
