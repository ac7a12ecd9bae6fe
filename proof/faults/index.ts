import type { Fault } from "../fault.ts";
import { bulkAborts } from "./bulk-aborts.ts";
import { killedHistory } from "./killed-history.ts";
import { namedPoints } from "./named-points.ts";
import { newerSchema } from "./newer-schema.ts";
import { parking } from "./parking.ts";
import { pausedProcess } from "./paused-process.ts";
import { poison } from "./poison.ts";
import { races } from "./races.ts";
import { ramps } from "./ramps.ts";
import { killedAtRandom } from "./random-kills.ts";
import { recoveryTime } from "./recovery-time.ts";
import { rehearsals } from "./rehearsals.ts";
import { restartedServer } from "./restarted-server.ts";
import { rollingRestart } from "./rolling-restart.ts";
import { soak } from "./soak.ts";
import { stages } from "./stages.ts";
import { steppedClock } from "./stepped-clock.ts";

export const FAULTS: readonly Fault[] = [
  namedPoints,
  killedAtRandom,
  recoveryTime,
  pausedProcess,
  restartedServer,
  rollingRestart,
  newerSchema,
  steppedClock,
  poison,
  races,
  bulkAborts,
  stages,
  parking,
  rehearsals,
  ramps,
  killedHistory,
  soak,
];
