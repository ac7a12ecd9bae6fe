const SystemDate = Date;
let offset = 0;

/** The system's date with an offset. A date constructed from arguments is not shifted. */
class SteppedDate extends SystemDate {
  constructor(...given: []) {
    if (given.length === 0) super(SystemDate.now() + offset);
    else super(...given);
  }

  static override now(): number {
    return SystemDate.now() + offset;
  }
}

/** Steps the wall clock of this process by `ms`, as if the machine's time were set; monotonic clocks do not change. */
export function stepClock(ms: number): number {
  offset += ms;
  globalThis.Date = SteppedDate as DateConstructor;
  return offset;
}
