import { settingsOf, startServer } from "@andon/server";
import { studioApp } from "@andon/studio";

/** A process with this app, for tests that kill it. */
const settings = JSON.parse(process.argv[2] ?? "{}");
const running = await startServer(
  settingsOf({ port: 0, log: { level: "silent" }, apps: [studioApp()], ...settings }),
);
process.once("SIGTERM", async () => {
  await running.close();
  process.exit(0);
});
console.log(`listening ${running.url}`);
