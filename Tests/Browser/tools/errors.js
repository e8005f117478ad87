// Keeps what goes wrong in the page, from its very start, for browsers whose drivers don't tell.

(() => {
    if (globalThis.wrongForTests) return;
    globalThis.wrongForTests = [];
    const keep = (text) => wrongForTests.push(String(text));
    // A browser also tells, as an error, that it lets observers of sizes know of a change a frame later.
    const isDelay = (message) => message.startsWith("ResizeObserver loop completed");
    addEventListener("error", ({ message }) => message && !isDelay(message) && keep(message));
    addEventListener("unhandledrejection", ({ reason }) => keep(reason));
    document.addEventListener("securitypolicyviolation", (event) =>
        keep(`${event.violatedDirective}: ${event.blockedURI}`));
})();
