/**
 * Places in the code at which a test may end the process, to see what a crash there leaves behind. `ANDON_FAIL_POINT`
 * names one, such as `fail:before-commit`, and `ANDON_FAIL_AFTER` how often it is passed before it strikes (0). Without
 * them the check is one comparison with a constant.
 */
const chosen = process.env.ANDON_FAIL_POINT;
let left = Number(process.env.ANDON_FAIL_AFTER ?? 0);

/** `before-commit` and `after-commit` lie just before and after the commit that makes the verb so. */
type Moment = "begin" | "before-commit" | "after-commit";

export function failPoint(verb: string, moment: Moment): void {
  if (chosen === undefined || chosen !== `${verb}:${moment}` || left-- > 0) return;
  process.kill(process.pid, "SIGKILL");
  // A signal is delivered when it is delivered; nothing more may happen here until then.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}
