import { createInterface } from "node:readline";
import { settingsOf, startServer } from "@andon/server";
import { openStorage } from "@andon/storage";
import { FlakyStorage } from "@andon/storage/testing";
import { vaultApp } from "@andon/vault";

/**
 * A server with the vault as a process of its own, to be killed. Arguments: the data folder and the store's address. Lines
 * on standard input make the NAS go away, come back, fill up and have room again.
 */
const [data, store] = process.argv.slice(2);
const nas = new FlakyStorage(await openStorage(`file:${data}/nas`, { marker: true }));

const running = await startServer(
  settingsOf({
    port: 0,
    data,
    store,
    adminToken: "a-token-for-the-model-test-alone",
    log: { level: "silent" },
    apps: [vaultApp({ cache: `file:${data}/cache`, nas })],
    queues: {
      "nas-sync": {
        attempts: 1_000,
        backoff: { delay: 20, max: 200 },
        lease: "1s",
        sweep: "300ms",
        maxStalled: 1_000,
      },
      vault: { lease: "1s", sweep: "300ms" },
    },
  }),
);

const LINES = {
  away: () => nas.goAway("UNREACHABLE"),
  back: () => nas.comeBack(),
  full: () => nas.fullAfter(10),
  room: () => nas.fullAfter(undefined),
};
createInterface({ input: process.stdin })
  .on("line", (line) => LINES[line]?.())
  // The process that started this one has ended.
  .on("close", () => process.exit(1));
console.log(`ready ${running.url}`);
