/** The API for tests of an app's rooms (`@andon/console/testing`): a server with its console, and a browser. */
export { THEME, violations } from "./accessibility.ts";
export { builtSite, builtSiteWith } from "./built-site.ts";
export { ConsoleServer, KINDS, ONE_KIND, OTHER_KIND, type StoreName } from "./console-server.ts";
export { demoLine } from "./demo-line.ts";
export { browserPath, LONGEST_WAIT_MS, lampWord, type Operator, openBrowser, signIn } from "./operator.ts";
export { tooWideForAPhone } from "./phone.ts";
export { DESK, savePicture } from "./pictures.ts";
export { WORDS as CORE_WORDS } from "./words.ts";
