import { setImmediate as nextTurn } from "node:timers/promises";
import type { Session } from "../dialect.ts";

/** How long statements may run in a row before timers and requests of this process get a turn. */
const LONGEST_STRETCH_MS = 20;

/**
 * A session whose statements yield to the event loop: SQLite answers synchronously, so a transaction of many statements
 * would otherwise run as a chain of microtasks until its commit. Meant for a connection that nothing else writes to
 * while the transaction is open. Statements run in the order of their calls, also when they wait for a turn.
 */
export function yieldingSession(session: Session): Session {
  let begun = performance.now();
  let pause: Promise<void> | undefined;
  const yieldToLoop = async () => {
    await nextTurn();
    begun = performance.now();
    pause = undefined;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (!pause && performance.now() - begun < LONGEST_STRETCH_MS) return work();
    pause ??= yieldToLoop();
    return pause.then(() => inTurn(work));
  };
  return {
    ...session,
    all: (statement, values) => inTurn(() => session.all(statement, values)),
    run: (statement, values) => inTurn(() => session.run(statement, values)),
    raw: (text, params) => inTurn(() => session.raw(text, params)),
  };
}
