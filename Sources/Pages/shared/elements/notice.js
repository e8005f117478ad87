// Places for a sentence that says what went wrong.

import { announce } from "./announce.js";
import { byId } from "./dom.js";

/**
 * @param {keyof import("../elements").Elements} id of the element that shows the sentence
 * @returns {(text: string) => void} shows a sentence, and has it read out once; an empty one takes the last one back
 */
export function createNotice(id) {
    return (text) => {
        byId(id).textContent = text;
        if (text) announce(text);
    };
}
