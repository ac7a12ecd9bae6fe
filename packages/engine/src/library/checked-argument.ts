import { AndonError, isStorable, JOB_STATES, type JobState, type Localised } from "@andon/contract";

/** In bytes: a key of PostgreSQL's index has 2,704 at the most, for queue, tenant and key together. */
export const LONGEST_KEY = 1_000;
export const LONGEST_NAME = 200;

const ARGUMENTS: Localised = { en: "the arguments", ko: "인자" };
const LONGEST_SHOWN = 200;

/** Text that will be stored: whatever a database would change or cut is refused here, alike on both. */
export function checkedText(where: Localised, option: string, value: unknown, longest: number): string {
  const fits = typeof value === "string" && value !== "" && Buffer.byteLength(value) <= longest;
  if (fits && isStorable(value)) return value;
  return refused(where, option, value, {
    en: `text of 1 to ${longest} bytes of UTF-8 without NUL or half characters`,
    ko: `NUL이나 깨진 문자가 없는 1~${longest}바이트의 UTF-8 텍스트`,
  });
}

/** The key of a lane that is made where it is not there yet. */
export function checkedKey(key: unknown): string {
  return checkedText(ARGUMENTS, "key", key, LONGEST_KEY);
}

/** Text that something is looked up by: of any length, since what is not there is simply not found. */
export function lookedUp(option: string, value: unknown): string {
  if (typeof value === "string" && isStorable(value)) return value;
  return refused(ARGUMENTS, option, value, {
    en: "text without NUL or half characters",
    ko: "NUL이나 깨진 문자가 없는 텍스트",
  });
}

/** A tenant that narrows what is found, where there is one. */
export function narrowedTo<T extends string | null | undefined>(tenant: T): T {
  if (tenant !== undefined && tenant !== null) lookedUp("tenant", tenant);
  return tenant;
}

export function checkedState(state: unknown): JobState {
  if ((JOB_STATES as readonly unknown[]).includes(state)) return state as JobState;
  return refused(ARGUMENTS, "state", state, { en: JOB_STATES.join(", "), ko: JOB_STATES.join(", ") });
}

export function checkedList<T>(option: string, list: readonly T[]): readonly T[] {
  return Array.isArray(list) ? list : refused(ARGUMENTS, option, list, { en: "a list", ko: "배열" });
}

export function refused(
  where: Localised,
  option: string,
  given: unknown,
  allowed: Localised | string,
): never {
  throw new AndonError("INVALID_OPTION", { where, option, given: shown(given), allowed });
}

/** What is not JSON (a bigint, a circle) must not hide the error behind another one, nor a long text the rest of it. */
function shown(given: unknown): string {
  const text = jsonOf(given);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

function jsonOf(given: unknown): string {
  try {
    return JSON.stringify(given) ?? String(given);
  } catch {
    return `a ${typeof given}`;
  }
}
