import { startFauxqs } from "fauxqs";

/** An S3 server in a process of its own, so that its memory is not measured. */
const server = await startFauxqs({ port: 0, logger: false, init: { buckets: ["bytes"] } });
console.log(`http://127.0.0.1:${server.port}`);
