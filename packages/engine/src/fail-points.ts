import { existsSync } from "node:fs";

/**
 * Places in the code at which a test can kill the process, to check what a crash there leaves behind.
 * `ANDON_FAIL_POINT` names one, such as `fail:before-commit`. `ANDON_FAIL_AFTER` (default 0) is how often it is passed
 * before it kills. With `ANDON_FAIL_WHEN`, a path, passes count only while that file exists. If none is set, the check
 * is one comparison with a constant.
 */
const chosen = process.env.ANDON_FAIL_POINT;
const armedBy = process.env.ANDON_FAIL_WHEN;
let left = Number(process.env.ANDON_FAIL_AFTER ?? 0);

/** `before-commit` and `after-commit` lie just before and after the verb's commit. */
type Moment = "begin" | "before-commit" | "after-commit";

export function failPoint(verb: string, moment: Moment): void {
  if (chosen === undefined || chosen !== `${verb}:${moment}`) return;
  if ((armedBy !== undefined && !existsSync(armedBy)) || left-- > 0) return;
  process.kill(process.pid, "SIGKILL");
  // The signal is delivered asynchronously; nothing more may run here until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}
