import { KINDS } from "@andon/testkit/processes";
import { stageKills } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

export const stages: Fault = {
  name: "stages",
  shows: "kill -9 of random workers, 10,000 jobs of 5 stages that take one job each, 4 processes",
  kinds: KINDS,
  weight: 4,
  run: (run) =>
    playRounds(run, (site, seed) => stageKills(site, { jobs: 10_000, kills: 20, seed, patience: 600_000 })),
};
