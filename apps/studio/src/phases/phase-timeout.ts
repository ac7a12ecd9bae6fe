import { setTimeout as wait } from "node:timers/promises";
import { Unretryable } from "@andon/engine";

/** How long work that is to end may take for it, before its phase fails without it. */
const LONGEST_END_MS = 10_000;

class PhaseTimeout extends Unretryable {
  override readonly name = "PhaseTimeout";
  readonly code = "TIMEOUT";
}

function timeoutMessage(type: string, ms: number): string {
  const limit = ms < 60_000 ? `${ms / 1_000}초를` : `${Number((ms / 60_000).toFixed(2))}분을`;
  return `Timeout: ${type} 작업이 ${limit} 초과했습니다`;
}

/**
 * Gives work a signal that aborts with the given one or when the time is over. The phase fails when the work has ended, so that
 * nothing of it is left running.
 */
export async function withinPhase<T>(
  { name, timeout }: { name: string; timeout: number },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const over = new PhaseTimeout(timeoutMessage(name, timeout));
  const timer = setTimeout(() => late.abort(over), timeout);
  const ended = work(AbortSignal.any([signal, late.signal]));
  try {
    return await Promise.race([ended, afterTimeout(late.signal, ended)]);
  } catch (error) {
    throw late.signal.aborted && !signal.aborted ? over : error;
  } finally {
    clearTimeout(timer);
  }
}

/** Rejects where the work has not ended some time after it was to end. */
async function afterTimeout(late: AbortSignal, ended: Promise<unknown>): Promise<never> {
  await new Promise((resolve) => {
    late.addEventListener("abort", resolve);
    ended.then(resolve, resolve);
  });
  if (!late.aborted) return new Promise<never>(() => {});
  await Promise.race([ended.catch(() => {}), wait(LONGEST_END_MS, undefined, { ref: false })]);
  throw late.reason;
}
