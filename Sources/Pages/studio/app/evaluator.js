// Has the server evaluate the request while it is being edited.

/**
 * Sends one request at a time; of the requests made meanwhile, only the latest is sent next. Every
 * response is passed on, so that the plot follows a slider even if responses are slow.
 * @param {(request: object) => Promise<object>} ask
 * @param {(answer: object, request: object, isLatest: boolean) => void} onAnswer
 * @returns {(request: object | null) => void} call this with each new request; null withdraws it
 */
export function createEvaluator(ask, onAnswer) {
    let isBusy = false, next = null, asked = null;
    const run = async () => {
        isBusy = true;
        while (next) {
            const request = asked = next;
            next = null;
            const answer = await ask(request);
            if (asked) onAnswer(answer, request, next === null);
        }
        isBusy = false;
    };
    return (request) => {
        next = request;
        if (!request) asked = null;
        else if (!isBusy) run();
    };
}
