// Finds elements as a person would name them: by role and name, by label, by text. For browsers that Playwright
// doesn't drive; `steps` are those of a Locator in locators.py.

(steps) => {
    const ROLES = {
        button: "button, summary, input[type=button], input[type=submit]", link: "a[href]",
        slider: "input[type=range]", checkbox: "input[type=checkbox]", radio: "input[type=radio]",
        spinbutton: "input[type=number]", textbox: "input[type=text], input:not([type]), textarea",
        heading: "h1, h2, h3, h4", region: "section[aria-label], section[aria-labelledby]", tab: "", alert: "",
        group: "fieldset", progressbar: "progress", combobox: "select", option: "option", dialog: "dialog",
    };
    const plain = (text) => text.replace(/\s+/g, " ").trim();

    const isVisible = (element) =>
        element.getClientRects().length > 0 && getComputedStyle(element).visibility === "visible";
    const isTold = (element) => isVisible(element) && !element.closest("[aria-hidden=true]");

    function nameOf(element) {
        const ids = element.getAttribute("aria-labelledby");
        if (ids) return plain(ids.split(/\s+/).map((id) => document.getElementById(id)?.textContent).join(" "));
        const given = element.getAttribute("aria-label");
        if (given) return plain(given);
        const labels = [...element.labels ?? []].map((label) => label.textContent).join(" ");
        return plain(labels || element.textContent || element.value || "") || plain(element.title);
    }

    const isNamed = (name, wanted, exact) =>
        exact ? name === wanted : name.toLowerCase().includes(wanted.toLowerCase());

    /** Playwright's selectors may also say `:visible` at their end, `:has-text('…')`, and `..` for the parent. */
    function select(root, selector) {
        if (selector === "..") return [root.parentElement];
        const [, before, text, after] = /^(.*?):has-text\('([^']*)'\)(.*)$/.exec(selector) ?? [];
        if (text !== undefined) {
            const found = select(root, before).filter((element) => isNamed(plain(element.textContent), text, false));
            return after.trim() ? found.flatMap((element) => select(element, `:scope ${after}`)) : found;
        }
        const parts = selector.split(":visible");
        const found = [...root.querySelectorAll(parts.join(""))];
        return parts.length > 1 ? found.filter(isVisible) : found;
    }

    const finders = {
        css: (root, { selector }) => select(root, selector),
        frame: (root, { selector }) => select(root, selector).map((frame) => frame.contentDocument),
        role: (root, { role, name, exact }) => {
            const selector = [`[role=${role}]`, ROLES[role]].filter(Boolean).join(", ");
            return [...root.querySelectorAll(selector)].filter((element) =>
                (element.getAttribute("role") ?? role) === role && isTold(element)
                && (name === null || isNamed(nameOf(element), name, exact)));
        },
        label: (root, { name, exact }) => [...root.querySelectorAll("input, select, textarea, [aria-label]")]
            .filter((element) => isNamed(nameOf(element), name, exact)),
        text: (root, { name, exact }) => [...root.querySelectorAll("*")].filter((element) =>
            isNamed(plain(element.textContent), name, exact)
            && ![...element.children].some((child) => isNamed(plain(child.textContent), name, exact))),
    };
    let found = [document];
    for (const step of steps) {
        if (step.by === "nth") {
            found = found.slice(step.index).slice(0, 1);
        } else if (step.by === "having") {
            found = found.filter((element) => isNamed(plain(element.textContent), step.name, false));
        } else {
            const each = found.flatMap((root) => finders[step.by](root, step));
            found = [...new Set(each)];
        }
    }
    return found;
}
