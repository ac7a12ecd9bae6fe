import { Readable } from "node:stream";
import { openStorage } from "@andon/storage";
import { contentOf, SIZE } from "./crash-content.ts";

/**
 * Puts one file after another until it is killed, and prints the number of each stored file. With `stall` it pauses in
 * the middle of the first file and prints `half`.
 */
const [folder = "", start = "0", stall] = process.argv.slice(2);
const storage = await openStorage(`file:${folder}`, { marker: true });

for (let number = Number(start); ; number++) {
  const content = contentOf(number);
  const pieces = async function* () {
    yield content.subarray(0, SIZE / 2);
    if (stall) {
      console.log("half");
      await new Promise((resolve) => process.stdin.once("data", resolve));
    }
    yield content.subarray(SIZE / 2);
  };
  await storage.put(`files/${number}`, Readable.from(pieces()), { temporary: `job${number}-1` });
  console.log(`stored ${number}`);
}
