import { KINDS, Site } from "@andon/testkit/processes";
import { randomKills } from "@andon/testkit/proof";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "../processes/test-seed.ts";

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: 8 places in 4 processes, some killed at random: nothing is lost, doubled without cause or out of order",
  { timeout: 120_000 },
  async (kind) => {
    site = await Site.open(kind);
    const outcome = await randomKills(site, { jobs: 400, kills: 3, seed: testSeed() });
    expect(outcome).toMatchObject({ kills: 3, lost: 0, outOfOrder: 0, findings: [] });
  },
);
