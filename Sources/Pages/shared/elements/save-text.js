// Saves a text as a file by a download of the browser.

/**
 * @param {string} name
 * @param {string} text
 */
export function saveText(name, text) {
    const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
    const link = document.createElement("a");
    link.href = url;
    link.download = name;
    link.click();
    // Later, because the browser may still be reading it.
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
