import {
  AndonError,
  didYouMean,
  type Localized,
  parseDuration,
  type QueueRules,
  withParticle,
} from "@andon/contract";
import { newId } from "../ids.ts";
import { LARGEST_JSON, tooManyBytes } from "../json-text.ts";
import { DEFAULT_TENANT, lanesOf } from "../lanes/lane-id.ts";
import { LATEST_TIME } from "../lifecycle/latest-time.ts";
import type { NewJob } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import {
  checkedOrganization,
  checkedTenant,
  checkedText,
  LONGEST_KEY,
  LONGEST_NAME,
  refused,
} from "./checked-argument.ts";

/** Options of one job. Checked by hand rather than by a schema: this runs for every job that is added. */
export interface JobOptions {
  /** Jobs of one key run in order, one at a time. Default: none, so the job waits for no other job. */
  key?: string | undefined;
  /** Several keys: the job runs when it is the head of every one of these lanes. The first one is its own lane. */
  keys?: readonly string[] | undefined;
  /** Higher runs first among the jobs that are ready. A whole number from -1,000,000 to 1,000,000. Default 0. */
  priority?: number | undefined;
  /** Not before this time (a Date, or milliseconds since 1970). Default: at once. */
  runAt?: Date | number | undefined;
  /** Not before this long from now (milliseconds, or a string such as "5s"). Default: at once. */
  delay?: number | string | undefined;
  /** A second job with the same key in this queue and tenant is not added; the first one is returned. Default: none. */
  idempotencyKey?: string | undefined;
  /** The tenant of the job. Default "default". */
  tenant?: string | undefined;
  /** The organisation within the tenant: text, or a whole number that is stored as text. Default: none. */
  organization?: string | number | undefined;
  /** The kind of job within this queue. Default: the queue's name. */
  name?: string | undefined;
  /** Carried from the request that made the job to its logs. Default: none. */
  traceId?: string | undefined;
  /** The stages that it goes through, in this order: names of the queue's rules. Default: all of them. */
  stages?: readonly string[] | undefined;
  /**
   * Its id, if a row of yours names the job before it is added: a UUID of version 7, as `newId` makes it. Default: a
   * new one.
   */
  id?: string | undefined;
  /** Adds the job inside this transaction: it exists if and only if that commits. Default: a transaction of its own. */
  tx?: unknown;
}

const KNOWN = [
  "key",
  "keys",
  "priority",
  "runAt",
  "delay",
  "idempotencyKey",
  "tenant",
  "organization",
  "name",
  "traceId",
  "stages",
  "id",
  "tx",
] as const;
const known = new Set<string>(KNOWN);
const MOST_PRIORITY = 1_000_000;
const MOST_KEYS = 100;

export function newJob(
  queue: QueueDefinition,
  payload: unknown,
  options: JobOptions | undefined,
  now: number,
): NewJob {
  if (options) checkMembers(options);
  const {
    key,
    keys,
    priority = 0,
    idempotencyKey,
    tenant: givenTenant = DEFAULT_TENANT,
    organization,
    name = queue.name,
    traceId,
  } = options ?? {};
  const tenant = checkedTenant(WHERE, givenTenant);
  if (key !== undefined && keys !== undefined)
    invalid("keys", keys, { en: "either key or keys", ko: "key와 keys 중 하나" });
  if (!Number.isInteger(priority) || Math.abs(priority) > MOST_PRIORITY)
    invalid("priority", priority, {
      en: "a whole number from -1000000 to 1000000",
      ko: "-1000000부터 1000000까지의 정수",
    });
  return {
    id: options?.id === undefined ? newId(now) : idOf(options.id),
    name: text("name", name, LONGEST_NAME),
    tenant,
    organization: organization === undefined ? null : checkedOrganization(WHERE, organization),
    share: queue.rules.fair ? tenant : null,
    lanes: lanesOf({ tenant, keys: key !== undefined ? [text("key", key, LONGEST_KEY)] : laneKeys(keys) }),
    priority,
    payload: payloadText(payload),
    runAt: startTime(options, now),
    idempotencyKey: idempotencyKey === undefined ? null : text("idempotencyKey", idempotencyKey, LONGEST_KEY),
    traceId: traceId === undefined ? null : text("traceId", traceId, LONGEST_NAME),
    stages: stagesOf(queue.rules, options?.stages),
  };
}

/** Jobs with the same options, which are checked once: for each job that was a fifth of a bulk add. */
export function newJobs(
  queue: QueueDefinition,
  payloads: readonly unknown[],
  options: JobOptions | undefined,
  now: number,
): NewJob[] {
  // An id is for one job: the store refuses the second.
  if (options?.id !== undefined) return payloads.map((payload) => newJob(queue, payload, options, now));
  const model = newJob(queue, null, options, now);
  return payloads.map((payload) => ({ ...model, id: newId(now), payload: payloadText(payload) }));
}

function checkMembers(options: JobOptions): void {
  if (typeof options !== "object" || Array.isArray(options))
    invalid("value", options, { en: "an object of options", ko: "옵션 객체" });
  for (const option in options) if (!known.has(option)) unknownOption(option);
}

const NO_KEYS: readonly string[] = [];

function laneKeys(keys: readonly string[] | undefined): readonly string[] {
  if (keys === undefined) return NO_KEYS;
  if (!Array.isArray(keys) || keys.length > MOST_KEYS)
    invalid("keys", keys, {
      en: `a list of at most ${MOST_KEYS} keys`,
      ko: `최대 ${MOST_KEYS}개의 키 목록`,
    });
  return [...new Set(keys.map((key) => text("keys", key, LONGEST_KEY)))];
}

function stagesOf({ stages }: QueueRules, given: readonly string[] | undefined): readonly string[] | null {
  const names = stages?.map(({ name }) => name) ?? null;
  if (given === undefined) return names;
  if (!names)
    invalid("stages", given, {
      en: "nothing: the queue has no stages",
      ko: "쓸 수 없음. 큐에 단계가 없습니다",
    });
  if (!Array.isArray(given) || given.length === 0 || new Set(given).size < given.length)
    invalid("stages", given, { en: "a list of stages, each once", ko: "서로 다른 단계의 목록" });
  const unknown = given.find((stage) => !names.includes(stage));
  if (unknown !== undefined) invalid("stages", unknown, { en: names.join(", "), ko: names.join(", ") });
  return [...given];
}

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function idOf(given: unknown): string {
  if (typeof given === "string" && UUID_V7.test(given)) return given;
  return invalid("id", given, { en: "a UUID of version 7", ko: "버전 7 UUID" });
}

function text(option: string, value: unknown, longest: number): string {
  return checkedText(WHERE, option, value, longest);
}

function startTime(options: JobOptions | undefined, now: number): number | null {
  if (options?.runAt === undefined && options?.delay === undefined) return null;
  if (options.runAt !== undefined && options.delay !== undefined)
    invalid("delay", options.delay, { en: "either runAt or delay", ko: "runAt과 delay 중 하나" });
  const at = options.runAt === undefined ? now + delayOf(options.delay, now) : timeOf(options.runAt);
  return at > now ? at : null;
}

function delayOf(delay: unknown, now: number): number {
  const ms = parseDuration(delay);
  if (ms !== undefined && now + ms <= LATEST_TIME) return Math.round(ms);
  return invalid("delay", delay, {
    en: 'milliseconds, or a string such as "500ms", "5s", "15m", "1h", "30d"',
    ko: '밀리초, 또는 "500ms", "5s", "15m", "1h", "30d" 같은 문자열',
  });
}

function timeOf(runAt: unknown): number {
  const time = runAt instanceof Date ? runAt.getTime() : runAt;
  if (typeof time !== "number" || !Number.isFinite(time) || time < 0 || time > LATEST_TIME) {
    invalid("runAt", runAt, {
      en: "a Date, or milliseconds since 1970",
      ko: "Date 또는 1970년부터의 밀리초",
    });
  }
  return Math.round(time as number);
}

/** A payload as JSON. */
export function payloadText(payload: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(payload ?? null);
  } catch (cause) {
    throw new AndonError("PAYLOAD_INVALID", { problem: (cause as Error).message }, { cause });
  }
  if (json === undefined)
    throw new AndonError("PAYLOAD_INVALID", {
      problem: {
        en: `a ${typeof payload} is not JSON`,
        ko: `${withParticle(typeof payload, "은(는)")} JSON이 아닙니다`,
      },
    });
  const bytes = tooManyBytes(json);
  if (bytes !== undefined) {
    throw new AndonError("PAYLOAD_INVALID", {
      problem: {
        en: `${bytes} bytes, at most ${LARGEST_JSON}`,
        ko: `${bytes}바이트이며 최대 ${LARGEST_JSON}바이트입니다`,
      },
    });
  }
  return json;
}

const WHERE: Localized = { en: "the job's options", ko: "작업 옵션" };

function unknownOption(option: string): never {
  throw new AndonError("UNKNOWN_OPTION", {
    where: WHERE,
    option,
    hint: didYouMean(option, KNOWN),
  });
}

function invalid(option: string, given: unknown, allowed: Localized): never {
  return refused(WHERE, option, given, allowed);
}
