import { existsSync } from "node:fs";

/**
 * Places in the code at which a test may end the process, to see what a crash there leaves behind. `ANDON_FAIL_POINT`
 * names one, such as `fail:before-commit`, and `ANDON_FAIL_AFTER` how often it is passed before it strikes (0). With
 * `ANDON_FAIL_WHEN`, a path, it strikes only while there is such a file: what passes before may pass any number of times.
 * Without them the check is one comparison with a constant.
 */
const chosen = process.env.ANDON_FAIL_POINT;
const armedBy = process.env.ANDON_FAIL_WHEN;
let left = Number(process.env.ANDON_FAIL_AFTER ?? 0);

/** `before-commit` and `after-commit` lie just before and after the commit that makes the verb so. */
type Moment = "begin" | "before-commit" | "after-commit";

export function failPoint(verb: string, moment: Moment): void {
  if (chosen === undefined || chosen !== `${verb}:${moment}`) return;
  if ((armedBy !== undefined && !existsSync(armedBy)) || left-- > 0) return;
  process.kill(process.pid, "SIGKILL");
  // A signal is delivered when it is delivered; nothing more may happen here until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}
