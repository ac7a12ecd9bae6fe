/** The public API for the commands of apps (`@andon/cli/app`). */
export { type CliApp, defineCliApp } from "./cli-app.ts";
export { alertsList } from "./commands/alerts.ts";
export { certificate } from "./commands/certificate.ts";
export { failed } from "./commands/failed.ts";
export { resume } from "./commands/resume.ts";
export { retry } from "./commands/retry.ts";
export { status } from "./commands/status.ts";
export { why } from "./commands/why.ts";
export type { Check, CheckInput, Finding } from "./doctor/check.ts";
export { freeSpace } from "./doctor/free-space.ts";
export { FOUND } from "./i18n/doctor.ts";
export { HELP } from "./i18n/help.ts";
export type { Facts, Localized } from "./i18n/localized.ts";
export { WORDS } from "./i18n/words.ts";
export { isConfirmed, needTerminal } from "./terminal/ask.ts";
export { type CommandSpec, command, flagOf, type Use, withFlags } from "./terminal/command.ts";
export {
  pagingOptions,
  queueOf,
  queueOption,
  reasonOption,
  reasonRequired,
} from "./terminal/common-options.ts";
export { Connection } from "./terminal/connection.ts";
export { EXIT } from "./terminal/exit-codes.ts";
export { Failure } from "./terminal/failures.ts";
export { heldBackText } from "./terminal/held-back.ts";
export { LiveBlock } from "./terminal/live-block.ts";
export type { Output } from "./terminal/output.ts";
export { pageNote, showPage } from "./terminal/pages.ts";
export { queueColumns } from "./terminal/queue-columns.ts";
export { serverEnvironment } from "./terminal/server-environment.ts";
export { Interrupted } from "./terminal/shell.ts";
export { sleep } from "./terminal/sleep.ts";
export { localTime } from "./terminal/times.ts";
export { useOf } from "./terminal/use-of.ts";
export { onOneLine } from "./terminal/width.ts";
