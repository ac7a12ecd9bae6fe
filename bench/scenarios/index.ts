import type { Scenario } from "../scenario.ts";
import { addBulk, addInFlight, addOne } from "./add.ts";
import attacks from "./attacks.ts";
import backlog from "./backlog.ts";
import broadcast from "./broadcast.ts";
import bulkOrder from "./bulk-order.ts";
import consoleLoad from "./console.ts";
import decisions from "./decisions.ts";
import drain from "./drain.ts";
import extract from "./extract.ts";
import fair from "./fair.ts";
import { largeFiles, smallFiles } from "./files.ts";
import fleet from "./fleet.ts";
import history from "./history.ts";
import http from "./http.ts";
import idle from "./idle.ts";
import { fewKeys, manyKeys } from "./keys.ts";
import lanes from "./lanes.ts";
import latency from "./latency.ts";
import minutes from "./minutes.ts";
import operators from "./operators.ts";
import poison from "./poison.ts";
import queues from "./queues.ts";
import recovery from "./recovery.ts";
import serial from "./serial.ts";
import sqs from "./sqs.ts";
import stages from "./stages.ts";
import start from "./start.ts";
import stop from "./stop.ts";
import stranger from "./stranger.ts";
import timers from "./timers.ts";
import uploadMemory from "./upload-memory.ts";

export const SCENARIOS: Scenario[] = [
  drain,
  manyKeys,
  fewKeys,
  serial,
  stages,
  backlog,
  addOne,
  addInFlight,
  addBulk,
  latency,
  stop,
  bulkOrder,
  recovery,
  lanes,
  fair,
  queues,
  poison,
  timers,
  decisions,
  idle,
  fleet,
  history,
  minutes,
  stranger,
  http,
  operators,
  smallFiles,
  largeFiles,
  uploadMemory,
  broadcast,
  extract,
  sqs,
  start,
  consoleLoad,
  attacks,
];
