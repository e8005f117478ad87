// Reports what happens in a story to the surrounding page, as DOM events with a statement in the
// form of xAPI 1.0.3 (actor, verb, object, time). They stay in the page; `visits.js` is what may be sent.

/** @typedef {import("../types.js").Manifest} Manifest */
/** @typedef {import("../types.js").Told} Told */

const verbs = {
    choice: ["http://id.tincanapi.com/verb/selected", "selected"],
    event: ["http://adlnet.gov/expapi/verbs/experienced", "experienced"],
    end: ["http://adlnet.gov/expapi/verbs/completed", "completed"],
};

/**
 * @param {Manifest} manifest
 * @param {Told["type"]} type
 * @param {string} place the part of the story that it is about, such as "door/choices/0"; empty for all of it
 * @param {string} name
 */
function statement(manifest, type, place, name) {
    const [id, verb] = verbs[type];
    const language = manifest.language ?? "und";
    const story = `urn:timewarp:story:${manifest.id}`;
    return {
        actor: {
            objectType: "Agent",
            account: { homePage: "urn:timewarp", name: "anonymous" },
        },
        verb: { id, display: { "en": verb } },
        object: {
            objectType: "Activity",
            id: place ? `${story}#${place.split("/").map(encodeURIComponent).join("/")}` : story,
            definition: { name: { [language]: name } },
        },
        context: {
            contextActivities: {
                parent: [{
                    objectType: "Activity", id: story,
                    definition: { name: { [language]: manifest.title } },
                }],
            },
        },
        timestamp: new Date().toISOString(),
    };
}

/**
 * Dispatches `timewarp:event` on an element.
 * @type {(element: HTMLElement, manifest: Manifest, detail: Told) => void}
 */
export function tell(element, manifest, detail) {
    const [place, name] = detail.type === "choice" ? [`${detail.segment}/choices/${detail.choice}`, detail.label]
        : detail.type === "event" ? [`${detail.segment}/events/${detail.name}`, detail.name] : ["", manifest.title];
    element.dispatchEvent(new CustomEvent("timewarp:event", {
        bubbles: true, composed: true,
        detail: { ...detail, statement: statement(manifest, detail.type, place, name) },
    }));
}
