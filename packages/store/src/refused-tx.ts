import { AndonError, type Localized } from "@andon/contract";

/** If `tx` were not an open transaction, the job would be stored even if the caller's rows are not. */
export function refuseTx(given: Localized): never {
  throw new AndonError("INVALID_OPTION", {
    where: { en: "the job's options", ko: "작업 옵션" },
    option: "tx",
    given,
    allowed: {
      en: "the `tx` of a transaction of this Andon, or the PostgreSQL client (not a pool) or SQLite connection on which you said `begin`",
      ko: "이 Andon의 트랜잭션이 준 `tx`, 또는 `begin`을 실행한 PostgreSQL 클라이언트(풀 제외)나 SQLite 연결",
    },
  });
}

export const NO_CONNECTION: Localized = { en: "no connection", ko: "연결이 아닌 값" };
export const NOT_BEGUN: Localized = {
  en: "a connection without a transaction",
  ko: "트랜잭션을 시작하지 않은 연결",
};
export const OF_ANOTHER: Localized = { en: "a transaction of another Andon", ko: "다른 Andon의 트랜잭션" };

/** Whether the value has methods with all these names. */
export function hasMethods(given: unknown, ...names: readonly string[]): given is object {
  if (typeof given !== "object" || given === null) return false;
  return names.every((name) => typeof (given as Record<string, unknown>)[name] === "function");
}
