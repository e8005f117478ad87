// What the program can do, in its own words: the menus are made from it, and nothing of it stands in the page.

/** @typedef {import("../../shared/server").Capabilities} Capabilities */

/** @type {Capabilities} */
export let capabilities;

/** Sets what the program can do, before anything is made from it. */
export const setCapabilities = (/** @type {Capabilities} */ given) => {
    capabilities = given;
};

/**
 * The one of several that has a name.
 * @type {<Item extends { name: string }>(list: Item[], name: string | null) => Item | undefined}
 */
export const named = (list, name) => list.find((each) => each.name === name);

