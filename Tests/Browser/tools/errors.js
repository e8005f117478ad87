// Keeps what goes wrong in the page, from its very start, for browsers whose drivers don't tell.

(() => {
    globalThis.wrongForTests = [];
    const keep = (text) => wrongForTests.push(String(text));
    addEventListener("error", (event) => event.message && keep(event.message));
    addEventListener("unhandledrejection", ({ reason }) => keep(reason));
    document.addEventListener("securitypolicyviolation", (event) =>
        keep(`${event.violatedDirective}: ${event.blockedURI}`));
})();
