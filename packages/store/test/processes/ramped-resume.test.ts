import { KINDS, Site } from "@andon/testkit/processes";
import { rampKills } from "@andon/testkit/proof";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

let site: Site | undefined;
afterEach(() => site?.close());

/* The long form is `npm run proof -- --only ramps`. */
test.for(KINDS)(
  "%s: a ramp never starts more than the wave that fails",
  { timeout: 180_000 },
  async (kind) => {
    site = await Site.open(kind);
    const { findings } = await rampKills(site, { queues: 6, seed: testSeed() });
    expect(findings).toEqual([]);
  },
);
