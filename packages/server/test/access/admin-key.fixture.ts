import { once } from "node:events";
import { adminToken } from "../../src/access/admin-key.ts";

/** Waits for input, then reads or creates the admin key of a folder. */
console.log("ready");
await once(process.stdin, "data");
console.log(JSON.stringify(await adminToken(process.argv[2] as string)));
process.exit(0);
