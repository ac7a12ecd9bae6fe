import { KINDS } from "@andon/testkit/processes";
import { parkRaces } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

export const parking: Fault = {
  name: "parking",
  shows: "10,000 jobs park while other processes tell of what they wait for: none stays parked",
  kinds: KINDS,
  weight: 2,
  run: (run) => playRounds(run, (site, seed) => parkRaces(site, { jobs: 10_000, seed, patience: 300_000 })),
};
