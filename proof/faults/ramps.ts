import { KINDS } from "@andon/testkit/processes";
import { rampKills } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

const RAMPS = 1_000;
const AT_ONCE = 20;

export const ramps: Fault = {
  name: "ramps",
  shows: `${RAMPS} resumes in waves by two operators beside failing destinations, kill -9 of operators and workers`,
  kinds: KINDS,
  weight: 6,
  run: (run) =>
    playRounds(run, (site, seed) => rampKills(site, { queues: AT_ONCE, seed, patience: 120_000 }), {
      least: RAMPS / AT_ONCE,
    }),
};
