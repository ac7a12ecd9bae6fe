import { Readable } from "node:stream";
import { openStorage } from "@andon/storage";

/** Puts a file, and pauses before its last piece until it is killed. */
const [url = ""] = process.argv.slice(2);
const storage = await openStorage(url, { marker: true });
const piece = Buffer.alloc(1024 * 1024, "x");

const pieces = async function* () {
  for (let sent = 0; sent < 24; sent++) yield piece;
  console.log("half");
  await new Promise((resolve) => process.stdin.once("data", resolve));
  yield piece;
};
await storage.put("files/x", Readable.from(pieces()), { temporary: "job-1" });
