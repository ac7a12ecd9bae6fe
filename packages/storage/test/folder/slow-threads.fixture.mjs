// Runs in a thread: every sync of a file takes as long as on a slow share, and records which thread made it.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { threadId } from "node:worker_threads";

const SYNC_MS = Number(process.env.ANDON_TEST_SYNC_MS ?? 60);
const sync = fs.fsyncSync;
fs.fsyncSync = (file) => {
  // Opening a pipe without a writer blocks until a writer opens it, like a call to a share that does not answer.
  if (process.env.ANDON_TEST_PIPE) fs.openSync(process.env.ANDON_TEST_PIPE);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SYNC_MS);
  fs.appendFileSync(process.env.ANDON_TEST_SYNCS, `${threadId}\n`);
  sync(file);
};
syncBuiltinESMExports();
