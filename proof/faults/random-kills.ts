import { KINDS } from "@andon/testkit/processes";
import { randomKills } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

export const killedAtRandom: Fault = {
  name: "kills",
  shows: "kill -9 of random workers, 10,000 jobs, 8 places in 4 processes",
  kinds: KINDS,
  weight: 5,
  run: (run) =>
    playRounds(run, (site, seed) => randomKills(site, { jobs: 10_000, kills: 30, seed, patience: 300_000 })),
};
