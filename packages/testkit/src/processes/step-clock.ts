const SystemDate = Date;
let offset = 0;

/** The system's date, shifted. A date that is made of something given is what it was given. */
class SteppedDate extends SystemDate {
  constructor(...given: []) {
    if (given.length === 0) super(SystemDate.now() + offset);
    else super(...given);
  }

  static override now(): number {
    return SystemDate.now() + offset;
  }
}

/** Steps the wall clock of this process by `ms`, as somebody who sets a machine's time would; monotonic clocks go on. */
export function stepClock(ms: number): number {
  offset += ms;
  globalThis.Date = SteppedDate as DateConstructor;
  return offset;
}
