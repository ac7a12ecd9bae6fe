import { KINDS, Site } from "@andon/testkit/processes";
import { parkRaces, stageKills } from "@andon/testkit/proof";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "../processes/test-seed.ts";

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: five stages of one place each in 4 processes, some killed: nothing lost, no stage twice or beyond its limit",
  { timeout: 120_000 },
  async (kind) => {
    site = await Site.open(kind);
    const outcome = await stageKills(site, { jobs: 100, kills: 2, seed: testSeed() });
    expect(outcome).toMatchObject({ kills: 2, lost: 0, findings: [] });
  },
);

test.for(KINDS)("%s: parking and arrivals race: no job stays parked", { timeout: 120_000 }, async (kind) => {
  site = await Site.open(kind);
  const outcome = await parkRaces(site, { jobs: 200, seed: testSeed() });
  expect(outcome).toMatchObject({ jobs: 200, findings: [] });
  expect(outcome.figures.parked).toBeGreaterThan(0);
});
