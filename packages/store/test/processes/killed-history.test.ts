import { KINDS, Site } from "@andon/testkit/processes";
import { historyKills } from "@andon/testkit/proof";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

let site: Site | undefined;
afterEach(() => site?.close());

/* The long form is `npm run proof -- --only history`. */
test.for(KINDS)(
  "%s: the sums of the history equal the counts after workers are killed",
  { timeout: 120_000 },
  async (kind) => {
    site = await Site.open(kind);
    const { findings } = await historyKills(site, { jobs: 400, kills: 3, seed: testSeed() });
    expect(findings).toEqual([]);
  },
);
