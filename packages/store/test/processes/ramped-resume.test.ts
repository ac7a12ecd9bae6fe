import { KINDS, Site } from "@andon/testkit/processes";
import { rampKills } from "@andon/testkit/proof";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

let site: Site | undefined;
afterEach(() => site?.close());

/* The long form is `npm run proof -- --only ramps`. */
test.for(KINDS)(
  "%s: a ramp starts no job beyond the wave of the job that fails",
  { timeout: 180_000 },
  async (kind) => {
    site = await Site.open(kind);
    const { findings } = await rampKills(site, { queues: 6, seed: testSeed() });
    expect(findings).toEqual([]);
  },
);
