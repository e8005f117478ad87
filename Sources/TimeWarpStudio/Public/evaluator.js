// Has the server evaluate the render request while it is being edited.

/**
 * Sends one request at a time; of the requests made meanwhile, only the latest is sent next. Every
 * response is passed on, so that the plot follows a slider even if responses are slow.
 * @param {(order: object) => Promise<object>} ask
 * @param {(answer: object, order: object, isLatest: boolean) => void} onAnswer
 * @returns {(order: object | null) => void} call this with each new render request; null withdraws it
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
