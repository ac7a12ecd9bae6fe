import { broadcastApp } from "@andon/broadcast";
import { settingsOf, startServer } from "@andon/server";

/** A process with this app, for tests that kill it or measure its memory. */
const settings = JSON.parse(process.argv[2] ?? "{}");
const running = await startServer(
  settingsOf({ port: 0, log: { level: "silent" }, apps: [broadcastApp()], ...settings }),
);
console.log(`listening ${running.url}`);
