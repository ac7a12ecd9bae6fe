import { SECTIONS } from "../i18n/help.ts";
import type { Localized } from "../i18n/localized.ts";
import type { CommandSpec } from "../terminal/command.ts";
import { add } from "./add.ts";
import { alertsAck, alertsList, alertsSnooze, alertsTest } from "./alerts.ts";
import { apply } from "./apply.ts";
import { auditList, auditVerify } from "./audit.ts";
import { cancel } from "./cancel.ts";
import { causes } from "./causes.ts";
import { certificate } from "./certificate.ts";
import { completion } from "./completion.ts";
import { configCheck } from "./config-check.ts";
import { deleteJob } from "./delete-job.ts";
import { deleteQueue } from "./delete-queue.ts";
import { doctor } from "./doctor.ts";
import { failed } from "./failed.ts";
import { init } from "./init.ts";
import { jobs } from "./jobs.ts";
import { keysCreate, keysList, keysPermissions, keysRevoke } from "./keys.ts";
import { laneCancelRest, laneHold, laneRelease } from "./lane.ts";
import { lanes } from "./lanes.ts";
import { loginLink } from "./login-link.ts";
import { operationsCancel, operationsList, operationsShow } from "./operations.ts";
import { pause } from "./pause.ts";
import { plan } from "./plan.ts";
import { queues } from "./queues.ts";
import { resume } from "./resume.ts";
import { retry } from "./retry.ts";
import { retryAllAndResume } from "./retry-all-and-resume.ts";
import { runNow } from "./run-now.ts";
import { schedulesActivate, schedulesDeactivate, schedulesList } from "./schedules.ts";
import { sessionsEnd, sessionsList } from "./sessions.ts";
import { show } from "./show.ts";
import { skip } from "./skip.ts";
import { skipAllAndResume } from "./skip-all-and-resume.ts";
import { start } from "./start.ts";
import { status } from "./status.ts";
import { stops } from "./stops.ts";
import { top } from "./top.ts";
import { undo } from "./undo.ts";
import { watch } from "./watch.ts";
import { why } from "./why.ts";
import { workers } from "./workers.ts";

/** The commands of the core under the heads of the help, in its order. */
const BY_SECTION: readonly (readonly [Localized, readonly CommandSpec[]])[] = [
  [
    SECTIONS.look,
    [status, queues, failed, causes, jobs, show, why, lanes, stops, certificate, watch, top, workers],
  ],
  [SECTIONS.line, [resume, retryAllAndResume, skipAllAndResume, pause, deleteQueue]],
  [
    SECTIONS.jobs,
    [
      add,
      retry,
      skip,
      cancel,
      undo,
      runNow,
      deleteJob,
      laneHold,
      laneRelease,
      laneCancelRest,
      plan,
      apply,
      operationsList,
      operationsShow,
      operationsCancel,
    ],
  ],
  [
    SECTIONS.calls,
    [alertsList, alertsAck, alertsSnooze, alertsTest, schedulesList, schedulesActivate, schedulesDeactivate],
  ],
  [
    SECTIONS.access,
    [
      keysList,
      keysCreate,
      keysRevoke,
      keysPermissions,
      sessionsList,
      sessionsEnd,
      loginLink,
      auditList,
      auditVerify,
    ],
  ],
  [SECTIONS.machine, [init, start, configCheck, doctor, completion]],
];

/** Every command of the core, in the order of the help. */
export const CORE_COMMANDS: readonly CommandSpec[] = BY_SECTION.flatMap(([section, commands]) =>
  commands.map((spec) => ({ ...spec, section })),
);
