import type { Session } from "../dialect.ts";

/** A session that has so many statements underway at the most; the others wait in line, first come first served. */
export function inLine(session: Session, most: number): Session {
  const waiting: (() => void)[] = [];
  let underway = 0;
  const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
    if (underway >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else underway++;
    try {
      return await work();
    } finally {
      // Who waits takes over this place, so that nobody can slip in between.
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
