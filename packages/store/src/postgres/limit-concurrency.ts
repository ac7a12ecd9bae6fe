import type { Session } from "../dialect.ts";

/** A session that runs at most this many statements at once; the others wait in the order of their calls. */
export function limitConcurrency(session: Session, most: number): Session {
  const waiting: (() => void)[] = [];
  let underway = 0;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (underway >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else underway++;
    try {
      return await work();
    } finally {
      // The first waiting call takes over this place, so that no later one can get ahead.
      const next = waiting.shift();
      if (next) next();
      else underway--;
    }
  };
  return {
    all: (statement, values) => inTurn(() => session.all(statement, values)),
    run: (statement, values) => inTurn(() => session.run(statement, values)),
    raw: (text, params) => inTurn(() => session.raw(text, params)),
  };
}
