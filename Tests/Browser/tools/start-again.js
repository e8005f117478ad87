// Lets a page of the studio start again without being loaded, which costs ten times as much.
//
// `startAgain.leave` ends whatever the page's program has begun. `startAgain.begin` gives the page its document as the
// server sent it, and runs the program once more. Only the modules' own variables stay, and what they themselves listen to.

globalThis.startAgain = (() => {
    const { fetch } = globalThis, { text } = Response.prototype;
    const { addEventListener } = EventTarget.prototype;
    const wait = () => new Promise((resolve) => setTimeout(resolve));
    /** What tests replace in the page. */
    const replaced = [globalThis, document, HTMLMediaElement.prototype, CanvasRenderingContext2D.prototype];

    let listened = [], started = [], saves = [];
    let leaving = new AbortController(), isLoading = true, firstTimer = 0, firstFrame = 0;
    let count = 0, html = "", before = [];

    /** The promise, which isn't kept once the page is left: whoever waits for it then waits for ever. */
    function untilLeft(promise) {
        const { signal } = leaving;
        return new Promise((resolve, reject) => {
            promise.then((value) => signal.aborted || resolve(value), (error) => signal.aborted || reject(error));
        });
    }

    /** Whether the program calls, and not the browser's driver, nor a module's own code while it is loaded. */
    function isProgram() {
        const places = new Error().stack.match(/\w\.js\b/g)?.length ?? 0;
        return places > (isLoading ? 1 : 0);
    }

    EventTarget.prototype.addEventListener = function (kind, act, options) {
        const target = this ?? globalThis;
        if (isProgram()) listened.push([target, kind, act, options]);
        addEventListener.call(target, kind, act, options);
    };
    for (const name of ["EventSource", "XMLHttpRequest", "ResizeObserver", "MutationObserver", "IntersectionObserver"]) {
        globalThis[name] = class extends globalThis[name] {
            constructor(...given) {
                super(...given);
                started.push(this);
            }
        };
    }
    globalThis.fetch = (path, options = {}) => {
        if (leaving.signal.aborted) return new Promise(() => {});
        // The server may still be about to store what the page has saved.
        const isSave = options.method === "PUT";
        const signals = [options.signal, isSave ? null : leaving.signal].filter(Boolean);
        const response = fetch(path, { ...options, signal: AbortSignal.any(signals) });
        if (isSave) saves.push(response);
        return untilLeft(response);
    };
    for (const [owner, ...names] of [
        [Response.prototype, "arrayBuffer", "blob", "json", "text"], [HTMLMediaElement.prototype, "play"],
        [HTMLImageElement.prototype, "decode"], [globalThis, "createImageBitmap"],
    ]) {
        for (const name of names) {
            const act = owner[name];
            owner[name] = function (...given) {
                return untilLeft(act.apply(this, given));
            };
        }
    }

    function endAll() {
        for (const [target, kind, act, options] of listened.splice(0)) target.removeEventListener(kind, act, options);
        for (const each of started.splice(0)) (each.close ?? each.abort ?? each.disconnect).call(each);
        const lastTimer = setTimeout(() => {}), lastFrame = requestAnimationFrame(() => {});
        for (; firstTimer <= lastTimer; firstTimer += 1) clearTimeout(firstTimer);
        for (; firstFrame <= lastFrame; firstFrame += 1) cancelAnimationFrame(firstFrame);
    }

    /** Undoes what the test has added to the page's objects or replaced there. */
    function putBack() {
        replaced.forEach((object, at) => {
            const now = Object.getOwnPropertyDescriptors(object);
            for (const name of Object.keys(now)) {
                const old = before[at][name], { value, get } = now[name];
                if (!old) delete object[name];
                else if (!Object.is(old.value, value) || old.get !== get) Object.defineProperty(object, name, old);
            }
        });
    }

    addEventListener.call(globalThis, "load", () => {
        isLoading = false;
        before = replaced.map(Object.getOwnPropertyDescriptors);
    });

    return {
        async leave() {
            leaving.abort();
            putBack();
            endAll();
            for (const video of document.querySelectorAll("video, audio")) {
                video.removeAttribute("src");
                video.load();
            }
            await Promise.allSettled(saves.splice(0));
            // What was already about to go on may have begun something else.
            await wait();
            endAll();
            document.body.replaceChildren();
            // The focus may have been in a frame.
            globalThis.focus();
            getSelection().removeAllRanges();
            localStorage.clear();
            sessionStorage.clear();
            performance.clearResourceTimings();
        },
        /** How many listeners the program has outside of its document, by kind. */
        get listeners() {
            const kinds = listened.filter(([target]) => target === globalThis || target === document).map(([, kind]) => kind);
            return kinds.sort();
        },
        async begin() {
            html ||= await text.call(await fetch(location.pathname));
            const sent = new DOMParser().parseFromString(html, "text/html");
            const root = document.documentElement;
            for (const { name } of [...root.attributes]) root.removeAttribute(name);
            for (const { name, value } of sent.documentElement.attributes) root.setAttribute(name, value);
            document.title = sent.title;
            document.body.replaceWith(document.importNode(sent.body, true));
            scrollTo(0, 0);
            history.replaceState(null, "", location.pathname);
            leaving = new AbortController();
            count += 1;
            await import(`${document.querySelector("script[type=module]").src}?again=${count}`);
        },
    };
})();
