import { randomFillSync } from "node:crypto";

/*
 * UUID version 7, made here rather than by a package because enqueue makes one per job: random bytes are drawn 4 kB
 * at a time and the ids of one process sort in the order they were made.
 */

/**
 * A clock that is set back by more than this is followed: ids that stayed ahead of it would contain a wrong time, and
 * lists look rows up by that time.
 */
const MOST_AHEAD_MS = 5 * 60_000;

const pool = new Uint8Array(4_096);
let used = pool.length;
let lastMs = 0;
/** The part of an id that `lastMs` makes. */
let timePart = "";
let counter = 0;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

export function newId(now: number): string {
  if (used + 10 > pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  if (now > lastMs || now < lastMs - MOST_AHEAD_MS) setTime(now, (pool[used++] as number) << 2);
  else if (++counter > 0xfff) setTime(lastMs + 1, 0);
  const random = (index: number) => HEX[pool[used + index] as number] as string;
  const high = HEX[((pool[used] as number) & 0x3f) | 0x80];
  const sequence = (0x7000 | counter).toString(16);
  const id = `${timePart}-${sequence}-${high}${random(1)}-${random(2)}${random(3)}${random(4)}${random(5)}${random(6)}${random(7)}`;
  used += 8;
  return id;
}

function setTime(ms: number, first: number): void {
  lastMs = ms;
  counter = first;
  const time = Math.floor(ms).toString(16).padStart(12, "0");
  timePart = `${time.slice(0, 8)}-${time.slice(8)}`;
}
