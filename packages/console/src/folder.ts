/** The folder of the built console: `index.html` and its assets. */
export const consoleFolder: URL = new URL("../dist/site/", import.meta.url);
