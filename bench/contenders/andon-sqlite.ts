import { andonOn } from "./andon.ts";

const FULL = { synchronous: "full" } as const;
const NORMAL = { synchronous: "normal" } as const;

export default andonOn("sqlite", {
  drain: { FULL: { places: 500, bulk: 1_000, ...FULL }, NORMAL: { places: 500, bulk: 1_000, ...NORMAL } },
  keyed: { FULL: { places: 500, bulk: 1_000, ...FULL } },
  serial: { FULL: { places: 1, bulk: 1_000, ...FULL } },
  add: { FULL: { places: 8, bulk: 1_000, ...FULL }, NORMAL: { places: 8, bulk: 1_000, ...NORMAL } },
  latency: { FULL: { places: 8, bulk: 1_000, ...FULL } },
  stop: { serial: { places: 8, bulk: 1_000, ...FULL }, "no keys": { places: 8, bulk: 1_000, ...FULL } },
  hold: { FULL: { places: 100, bulk: 5_000, ...FULL } },
  recover: { FULL: { places: 8, bulk: 1_000, ...FULL } },
  staged: { FULL: { places: 500, bulk: 1_000, ...FULL } },
  counted: { FULL: { places: 500, bulk: 1_000, ...FULL } },
  server: { FULL: { places: 8, bulk: 1_000, ...FULL } },
});
