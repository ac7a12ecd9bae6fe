import { KINDS } from "@andon/testkit/processes";
import { historyKills } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

export const killedHistory: Fault = {
  name: "history",
  shows: "the sums of the history are the counts after kill -9 of 50 workers",
  kinds: KINDS,
  weight: 3,
  run: (run) =>
    playRounds(run, (site, seed) => historyKills(site, { jobs: 8_000, kills: 50, seed, patience: 300_000 })),
};
