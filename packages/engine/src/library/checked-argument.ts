import {
  AndonError,
  isStorable,
  JOB_STATES,
  type JobState,
  type Localized,
  organizationText,
  type Scope,
} from "@andon/contract";

/** In bytes. An entry of a PostgreSQL index has at most 2,704, for queue, tenant and key together. */
export const LONGEST_KEY = 1_000;
export const LONGEST_NAME = 200;

const ARGUMENTS: Localized = { en: "the arguments", ko: "인자" };
const LONGEST_SHOWN = 200;

/** Text that will be stored: text that a database would change or truncate is refused, alike on both databases. */
export function checkedText(where: Localized, option: string, value: unknown, longest: number): string {
  const fits = typeof value === "string" && value !== "" && Buffer.byteLength(value) <= longest;
  if (fits && isStorable(value)) return value;
  return refused(where, option, value, {
    en: `text of 1 to ${longest} bytes of UTF-8 without NUL or half characters`,
    ko: `NUL이나 깨진 문자가 없는 1~${longest}바이트의 UTF-8 텍스트`,
  });
}

const TENANT_RULE: Localized = {
  en: `text of 1 to ${LONGEST_NAME} bytes of UTF-8 without control characters`,
  ko: `제어 문자가 없는 1~${LONGEST_NAME}바이트의 UTF-8 텍스트`,
};
const CONTROL = /\p{Cc}/u;

/** A tenant's name. Control characters are refused: one of them encloses the tenant in the stored text of a lane. */
export function checkedTenant(where: Localized, tenant: unknown): string {
  if (typeof tenant === "string" && CONTROL.test(tenant)) refused(where, "tenant", tenant, TENANT_RULE);
  return checkedText(where, "tenant", tenant, LONGEST_NAME);
}

/** An organisation is given as text or as a whole number, and stored as text. */
export function checkedOrganization(where: Localized, given: unknown): string {
  return checkedText(where, "organization", organizationText(given), LONGEST_NAME);
}

/** The key of a lane, which is created if it does not exist yet. */
export function checkedKey(key: unknown): string {
  return checkedText(ARGUMENTS, "key", key, LONGEST_KEY);
}

/** Text for a lookup: of any length, since a value that is not stored is simply not found. */
export function lookedUp(option: string, value: unknown): string {
  if (typeof value === "string" && isStorable(value)) return value;
  return refused(ARGUMENTS, option, value, {
    en: "text without NUL or half characters",
    ko: "NUL이나 깨진 문자가 없는 텍스트",
  });
}

/** A checked scope; a member that is not set narrows nothing. */
export function narrowedTo(scope: Scope = {}): Scope {
  // A string would narrow nothing, and show the data of every tenant.
  if (typeof scope !== "object" || scope === null)
    refused(ARGUMENTS, "scope", scope, { en: "{ tenant, organization }", ko: "{ tenant, organization }" });
  const { tenant, organization } = scope;
  if ((tenant ?? null) !== null) lookedUp("tenant", tenant);
  if ((organization ?? null) !== null) lookedUp("organization", organization);
  return { tenant, organization };
}

export function checkedState(state: unknown): JobState {
  if ((JOB_STATES as readonly unknown[]).includes(state)) return state as JobState;
  return refused(ARGUMENTS, "state", state, { en: JOB_STATES.join(", "), ko: JOB_STATES.join(", ") });
}

const NOUN = /^[a-z][a-z-]{0,39}$/;

/** What the audit log calls a job: `<noun>.abort`. */
export function checkedNoun(options: { noun?: string | undefined } = {}): { noun?: string | undefined } {
  const { noun } = options;
  if (noun === undefined || (typeof noun === "string" && NOUN.test(noun))) return { noun };
  return refused(ARGUMENTS, "noun", noun, {
    en: "lower-case letters and -, at most 40",
    ko: "영문 소문자와 -, 최대 40자",
  });
}

export function checkedTime(option: string, time: unknown): number | undefined {
  if (time === undefined || Number.isFinite(time)) return time as number | undefined;
  return refused(ARGUMENTS, option, time, { en: "milliseconds since 1970", ko: "1970년 이후 밀리초" });
}

export function checkedList<T>(option: string, list: readonly T[]): readonly T[] {
  return Array.isArray(list) ? list : refused(ARGUMENTS, option, list, { en: "a list", ko: "배열" });
}

export function refused(
  where: Localized,
  option: string,
  given: unknown,
  allowed: Localized | string,
): never {
  throw new AndonError("INVALID_OPTION", { where, option, given: shown(given), allowed });
}

/**
 * A value that is not JSON (a bigint, a cycle) must not replace the error by another one, and a long value must not
 * hide the rest of the message.
 */
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
