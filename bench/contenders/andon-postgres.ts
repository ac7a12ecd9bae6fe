import { andonOn } from "./andon.ts";

export default andonOn("postgres", {
  drain: {
    "500 places": { places: 500, bulk: 1_000 },
    "1000 places": { places: 1_000, bulk: 1_000 },
    "4000 places": { places: 4_000, bulk: 1_000 },
  },
  keyed: {
    "100 places": { places: 100, bulk: 1_000 },
    "500 places": { places: 500, bulk: 1_000 },
    "1000 places": { places: 1_000, bulk: 1_000 },
  },
  serial: { serial: { places: 1, bulk: 1_000 } },
  add: { "bulk 1000": { places: 8, bulk: 1_000 }, "bulk 5000": { places: 8, bulk: 5_000 } },
  latency: { "as it comes": { places: 8, bulk: 1_000 } },
  stop: { serial: { places: 8, bulk: 1_000 }, "no keys": { places: 8, bulk: 1_000 } },
  hold: { "100 places": { places: 100, bulk: 5_000 } },
  recover: { "as it comes": { places: 8, bulk: 1_000 } },
  staged: { "500 places": { places: 500, bulk: 1_000 } },
  counted: { "500 places": { places: 500, bulk: 1_000 } },
  server: { "as it comes": { places: 8, bulk: 1_000 } },
});
