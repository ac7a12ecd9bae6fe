import { setTimeout as wait } from "node:timers/promises";
import { withParticle } from "@andon/contract";
import { Unretryable } from "@andon/engine";

/** How long aborted work may take to end. After that the phase fails without waiting for it. */
const LONGEST_END_MS = 10_000;

class PhaseTimeout extends Unretryable {
  override readonly name = "PhaseTimeout";
  readonly code = "TIMEOUT";
  readonly localized: { en: string; ko: string };

  constructor(type: string, ms: number) {
    const isShort = ms < 60_000;
    const amount = isShort ? ms / 1_000 : Number((ms / 60_000).toFixed(2));
    const ko = `Timeout: ${type} 작업이 ${amount}${withParticle(isShort ? "초" : "분", "을(를)")} 초과했습니다`;
    super(ko);
    const unit = `${isShort ? "second" : "minute"}${amount === 1 ? "" : "s"}`;
    this.localized = { en: `Timeout: ${type} took longer than ${amount} ${unit}`, ko };
  }
}

/**
 * Gives work a signal that aborts with the given one or at the timeout. The phase fails only after the work has ended, so
 * that none of it keeps running.
 */
export async function withinPhase<T>(
  { name, timeout }: { name: string; timeout: number },
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new AbortController();
  const over = new PhaseTimeout(name, timeout);
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

/** Rejects if the work has not ended some time after its abort. */
async function afterTimeout(late: AbortSignal, ended: Promise<unknown>): Promise<never> {
  await new Promise((resolve) => {
    late.addEventListener("abort", resolve);
    ended.then(resolve, resolve);
  });
  if (!late.aborted) return new Promise<never>(() => {});
  await Promise.race([ended.catch(() => {}), wait(LONGEST_END_MS, undefined, { ref: false })]);
  throw late.reason;
}
