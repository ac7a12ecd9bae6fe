import { setImmediate as nextTurn } from "node:timers/promises";
import type { Session } from "../dialect.ts";

/** How long statements may follow each other before timers and requests of this process get their turn. */
const LONGEST_STRETCH_MS = 20;

/**
 * A session whose statements leave the event loop room: SQLite answers at once, so that a transaction of many statements
 * would otherwise be one microtask after the other until its commit. Meant for a connection that nobody else writes to
 * while the transaction is open. What is asked first is done first, also when it waits for its turn.
 */
export function yieldingSession(session: Session): Session {
  let begun = performance.now();
  let breath: Promise<void> | undefined;
  const breathe = async () => {
    await nextTurn();
    begun = performance.now();
    breath = undefined;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (!breath && performance.now() - begun < LONGEST_STRETCH_MS) return work();
    breath ??= breathe();
    return breath.then(() => inTurn(work));
  };
  return {
    ...session,
    all: (statement, values) => inTurn(() => session.all(statement, values)),
    run: (statement, values) => inTurn(() => session.run(statement, values)),
    raw: (text, params) => inTurn(() => session.raw(text, params)),
  };
}
