"""Runs axe-core on a page, whose script is sent once and gives back only the violations, and tells what has the focus."""

from axe_playwright_python.sync_playwright import Axe

RUN = """async ([parts, rules]) => {
    const only = rules && { runOnly: { type: "rule", values: rules } };
    const options = { resultTypes: ["violations"], ...only };
    const { violations } = await axe.run(parts.length ? { include: parts } : document, options);
    return violations.map(({ id, impact, help, nodes }) =>
        ({ id, impact, help, targets: nodes.map((node) => String(node.target)) }));
}"""

# A name of what has the focus.
WHERE = """() => {
    const each = document.activeElement;
    // Firefox also stops at areas that scroll.
    if (each.tabIndex < 0 && each !== document.body) return null;
    return each === document.body ? "body" : each.id || each.getAttribute("aria-label")
        || each.closest("[data-value]")?.dataset.value || each.value || each.textContent.trim();
}"""

# Those of axe's colour rules that are on by default.
COLOURS = ["color-contrast", "link-in-text-block"]


def focused(page):
    """A name of what has the focus; "body" if nothing has it."""
    return page.evaluate(WHERE)


def violations(page, *parts, only_colours=False):
    """Violations on the page, or in the given parts of it.

    `only_colours` is for a page that differs only in colour from one that was checked before.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(f"() => {{ {Axe().axe_script} }}")
    return page.evaluate(RUN, [[[part] for part in parts], COLOURS if only_colours else None])


def serious(page, *parts, **options):
    return [each for each in violations(page, *parts, **options) if each["impact"] in ("serious", "critical")]
