// In a thread: every sync of a file takes as long as on a share that is far away, and leaves a word of who did it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { threadId } from "node:worker_threads";

const SYNC_MS = 60;
const sync = fs.fsyncSync;
fs.fsyncSync = (file) => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SYNC_MS);
  fs.appendFileSync(process.env.ANDON_TEST_SYNCS, `${threadId}\n`);
  sync(file);
};
syncBuiltinESMExports();
