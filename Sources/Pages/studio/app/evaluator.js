// Has the server evaluate the request while it is being edited.

/**
 * Sends one request at a time; of the requests made meanwhile, only the latest is sent next. Every
 * response is passed on, so that the plot follows a slider even if responses are slow.
 * @template Request, Answer
 * @param {(request: Request) => Promise<Answer>} ask
 * @param {(answer: Answer, request: Request, isLatest: boolean) => void} onAnswer
 * @returns {(request: Request | null) => void} call this with each new request; null withdraws it
 */
export function createEvaluator(ask, onAnswer) {
    let isBusy = false;
    /** @type {Request | null} */
    let next = null;
    /** @type {Request | null} */
    let asked = null;
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
