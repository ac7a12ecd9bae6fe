/** Where the built console lies: `index.html` and its assets. */
export const consoleFolder: URL = new URL("../dist/site/", import.meta.url);
