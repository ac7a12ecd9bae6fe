import type { CommandSpec } from "../kit/command.ts";
import { alertsList, alertsTest } from "./alerts.ts";
import { apply } from "./apply.ts";
import { auditList, auditVerify } from "./audit.ts";
import { cancel } from "./cancel.ts";
import { certificate } from "./certificate.ts";
import { configCheck } from "./config-check.ts";
import { deleteJob } from "./delete-job.ts";
import { deleteQueue } from "./delete-queue.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { failed } from "./failed.ts";
import { init } from "./init.ts";
import { jobs } from "./jobs.ts";
import { keysCreate, keysList, keysRevoke } from "./keys.ts";
import { laneCancelRest, laneHold, laneRelease } from "./lane.ts";
import { lanes } from "./lanes.ts";
import { loginLink } from "./login-link.ts";
import { nasInit } from "./nas-init.ts";
import { pause } from "./pause.ts";
import { plan } from "./plan.ts";
import { queues } from "./queues.ts";
import { resume } from "./resume.ts";
import { retry } from "./retry.ts";
import { runNow } from "./run-now.ts";
import { schedulesActivate, schedulesDeactivate, schedulesList } from "./schedules.ts";
import { show } from "./show.ts";
import { skip } from "./skip.ts";
import { skipAllAndResume } from "./skip-all-and-resume.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { stops } from "./stops.ts";
import { vaultCancel, vaultRetry, vaultSkip } from "./vault-decisions.ts";
import { vaultHeld } from "./vault-held.ts";
import { vaultSimulate } from "./vault-simulate.ts";
import { vaultVerify } from "./vault-verify.ts";
import { watch } from "./watch.ts";
import { why } from "./why.ts";
import { workers } from "./workers.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandSpec[] = [
  init,
  demo,
  start,
  status,
  queues,
  failed,
  show,
  why,
  retry,
  skip,
  cancel,
  deleteJob,
  deleteQueue,
  runNow,
  resume,
  pause,
  skipAllAndResume,
  jobs,
  lanes,
  laneHold,
  laneRelease,
  laneCancelRest,
  stops,
  certificate,
  watch,
  plan,
  apply,
  vaultHeld,
  vaultSimulate,
  vaultRetry,
  vaultSkip,
  vaultCancel,
  vaultVerify,
  nasInit,
  keysList,
  keysCreate,
  keysRevoke,
  loginLink,
  auditList,
  auditVerify,
  alertsList,
  alertsTest,
  schedulesList,
  schedulesActivate,
  schedulesDeactivate,
  workers,
  configCheck,
  doctor,
];
