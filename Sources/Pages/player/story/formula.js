// Formulas from the manifest: lists of steps in postfix order, which are interpreted with a stack
// of numbers. Nothing is executed as code.

/** @typedef {import("../types.js").Formula} Formula */
/** @typedef {(...numbers: number[]) => number} Operation */

// The minimum and maximum as in Swift, which treat NaN differently from Math.min and Math.max.
/** @type {Operation} */
const least = (a, b) => (b < a ? b : a);
/** @type {Operation} */
const greatest = (a, b) => (b >= a ? b : a);

/** @type {Operation} the power as in C: 1 to any power is 1, and so is -1 to an infinite one; `**` gives NaN */
function power(a, b) {
    if (a === 1 || (a === -1 && Math.abs(b) === Infinity)) return 1;
    return a ** b;
}

/** @type {Operation} */
function smooth(low, high, x) {
    const share = least(greatest((x - low) / (high - low), 0), 1);
    return share * share * (3 - 2 * share);
}

const truth = (/** @type {boolean} */ holds) => (holds ? 1 : 0);

/**
 * For each operation, how many numbers it takes off the stack, and the function of its result.
 * @type {Map<Formula[number], [count: number, apply: Operation]>}
 */
const operations = new Map(Object.entries({
    "+": [2, (a, b) => a + b],
    "-": [2, (a, b) => a - b],
    "*": [2, (a, b) => a * b],
    "/": [2, (a, b) => a / b],
    "^": [2, power],
    "<": [2, (a, b) => truth(a < b)],
    "<=": [2, (a, b) => truth(a <= b)],
    ">": [2, (a, b) => truth(a > b)],
    ">=": [2, (a, b) => truth(a >= b)],
    "==": [2, (a, b) => truth(a === b)],
    "!=": [2, (a, b) => truth(a !== b)],
    "neg": [1, (a) => -a],
    "?:": [3, (c, a, b) => (c !== 0 ? a : b)],
    "sin": [1, Math.sin],
    "cos": [1, Math.cos],
    "tan": [1, Math.tan],
    "asin": [1, Math.asin],
    "acos": [1, Math.acos],
    "atan": [1, Math.atan],
    "sqrt": [1, Math.sqrt],
    "exp": [1, Math.exp],
    "log": [1, Math.log],
    "log2": [1, Math.log2],
    "log10": [1, Math.log10],
    "abs": [1, Math.abs],
    "floor": [1, Math.floor],
    "ceil": [1, Math.ceil],
    "min": [2, least],
    "max": [2, greatest],
    "pow": [2, power],
    "clamp": [3, (x, low, high) => least(greatest(x, low), high)],
    "mix": [3, (x, y, share) => x + (y - x) * share],
    "smoothstep": [3, smooth],
}));

/**
 * The value of a formula.
 * @param {Formula} steps
 * @param {import("../types.js").Variables} variables
 * @throws if the steps aren't a formula
 */
export function valueOf(steps, variables) {
    /** @type {number[]} */
    const stack = [];
    for (const step of steps) {
        if (typeof step === "number") {
            stack.push(step);
        } else if (typeof step === "object" && Object.hasOwn(variables, step.v)) {
            stack.push(variables[step.v]);
        } else {
            const [count, apply] = operations.get(step) ?? [0, null];
            if (!apply || stack.length < count) {
                throw new Error(`The story's formula ${JSON.stringify(steps)} is damaged.`);
            }
            stack.push(apply(...stack.splice(stack.length - count)));
        }
    }
    return stack[0];
}

/**
 * Whether a condition is true: its value is neither 0 nor NaN. An absent condition is true.
 * @param {Formula | null} condition
 * @param {import("../types.js").Variables} variables
 */
export function holds(condition, variables) {
    if (condition === null || condition === undefined) return true;
    const value = valueOf(condition, variables);
    return value !== 0 && !Number.isNaN(value);
}
