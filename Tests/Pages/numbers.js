// Assertions on numbers, which say the numbers when they fail. What isn't a number never passes.

import assert from "node:assert/strict";

function judge(actual, isSo, wanted, text) {
    const found = `${text ? `${text}: ` : ""}${actual} should be ${wanted}`;
    assert.ok(typeof actual === "number" && isSo, found);
}

export const isBelow = (actual, bound, text) => judge(actual, actual < bound, `below ${bound}`, text);

export const isAbove = (actual, bound, text) => judge(actual, actual > bound, `above ${bound}`, text);

export const isAtMost = (actual, bound, text) => judge(actual, actual <= bound, `at most ${bound}`, text);

export const isAtLeast = (actual, bound, text) => judge(actual, actual >= bound, `at least ${bound}`, text);

/** The number is no farther than `distance` from the wanted one. */
export const isWithin = (actual, distance, wanted, text) => judge(
    actual, Math.abs(actual - wanted) <= distance, `within ${distance} of ${wanted}`, text);

/** The number is the wanted one to this many decimals. */
export const isNear = (actual, wanted, decimals = 7, text = "") => isWithin(
    actual, 0.5 * 10 ** -decimals, wanted, text);

/** The largest number; there has to be one. */
export function largest(numbers) {
    assert.notEqual(numbers.length, 0, "there is nothing to judge");
    return Math.max(...numbers);
}
