// Asks what an order comes to while it is being edited.

/**
 * One question is under way at a time; of those that come meanwhile the latest is asked next. Each
 * answer is told, so that a plot follows a slider even where answers are slow.
 * @param {(order: object) => Promise<object>} ask
 * @param {(answer: object, order: object, isLatest: boolean) => void} onAnswer
 * @returns {(order: object | null) => void} to be called with each order; null withdraws
 */
export function createEvaluator(ask, onAnswer) {
    let isBusy = false, next = null, asked = null;
    const run = async () => {
        isBusy = true;
        while (next) {
            const order = asked = next;
            next = null;
            const answer = await ask(order);
            if (asked) onAnswer(answer, order, next === null);
        }
        isBusy = false;
    };
    return (order) => {
        next = order;
        if (!order) asked = null;
        else if (!isBusy) run();
    };
}
