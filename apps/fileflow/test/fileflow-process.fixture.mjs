import { fileflowApp } from "@andon/fileflow";
import { settingsOf, startServer } from "@andon/server";

/** A process with this app, for tests that kill it. Its stages do nothing. */
const settings = JSON.parse(process.argv[2] ?? "{}");
const app = fileflowApp({ programs: { noop: { run: async () => ({ facts: {} }) } }, waitSeconds: 1 });
await startServer(settingsOf({ port: 0, log: { level: "silent" }, apps: [app], ...settings }));
