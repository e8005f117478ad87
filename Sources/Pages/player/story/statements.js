// Reports what happens in a story to the surrounding page, as DOM events with a statement in the
// form of xAPI 1.0.3 (actor, verb, object, time). They stay in the page; `visits.js` is what may be sent.

const verbs = {
    choice: ["http://id.tincanapi.com/verb/selected", "selected"],
    event: ["http://adlnet.gov/expapi/verbs/experienced", "experienced"],
    end: ["http://adlnet.gov/expapi/verbs/completed", "completed"],
};

/**
 * @param type "choice", "event" or "end"
 * @param place the part of the story that it is about, such as "door/choices/0"; empty for all of it
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
 * @param detail `{ type, segment, time }`, with `name` for an event, or `choice` and `label` for a choice
 */
export function tell(element, manifest, detail) {
    const [place, name] = {
        choice: [`${detail.segment}/choices/${detail.choice}`, detail.label],
        event: [`${detail.segment}/events/${detail.name}`, detail.name],
        end: ["", manifest.title],
    }[detail.type];
    element.dispatchEvent(new CustomEvent("timewarp:event", {
        bubbles: true, composed: true,
        detail: { ...detail, statement: statement(manifest, detail.type, place, name) },
    }));
}
