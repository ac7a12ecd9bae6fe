#!/usr/bin/env node
// npm links a command only to a file that exists at install time. A clone is built later, so this file imports the build.
await import("../dist/main.js").catch((error) => {
  if (error?.code !== "ERR_MODULE_NOT_FOUND" || !String(error.message).includes("dist/main.js")) throw error;
  console.error("andon is not built yet: run `npm run build` in the root of the repository once.");
  process.exitCode = 1;
});
