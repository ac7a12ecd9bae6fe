import { createRequire } from "node:module";

/** The version of this library, as its workers report it. */
export const OWN_VERSION: string = createRequire(import.meta.url)("../package.json").version;
