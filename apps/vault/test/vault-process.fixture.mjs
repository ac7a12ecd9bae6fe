import { settingsOf, startServer } from "@andon/server";
import { vaultApp } from "@andon/vault";

/** A server with the vault as a process of its own, for tests that kill it or measure its memory. */
const { data, store, adminToken, roles } = JSON.parse(process.argv[2] ?? "{}");

const app = vaultApp({ cache: `file:${data}/cache`, nas: `file:${data}/nas` });
const running = await startServer(
  settingsOf({ port: 0, data, store, adminToken, roles, log: { level: "silent" }, apps: [app] }),
);
console.log(`listening ${running.url}`);
