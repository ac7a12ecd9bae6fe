import type { AppSite } from "@andon/app";
import { AndonError, type Principal } from "@andon/contract";
import type { Andon } from "@andon/engine";
import { validationFailed } from "./checked-request.ts";

const KEPT_MS = 24 * 3_600_000;
/** How often old answers are deleted, and how many at a time. */
const FORGET_EVERY_MS = 60_000;
const MOST_FORGOTTEN = 1_000;
const LONGEST_KEY = 255;
/** The transaction may wait for the locks of another transaction over thousands of rows. */
const LONGEST_MS = 60_000;

/**
 * Repeats the stored answer for the same Idempotency-Key. The transaction that does the work also writes the answer: a crash
 * leaves both or neither, and of two concurrent requests the second waits for the answer of the first.
 */
export function answerOnce(andon: Andon): AppSite["once"] {
  const { store } = andon;
  let forgottenAt = 0;
  /**
   * Runs in a transaction of its own: rows deleted in a request's transaction would make all other requests wait for it. If
   * more than `MOST_FORGOTTEN` rows are old, the next request deletes the next ones, so that deleting keeps up with any load.
   */
  const forget = async (now: number) => {
    if (now - forgottenAt < FORGET_EVERY_MS) return;
    forgottenAt = now;
    const gone = await store.transaction("forget-answers", (tx) =>
      tx.query(
        `delete from server_answers where (owner, route, idempotency_key) in (
  select owner, route, idempotency_key from server_answers where at < $1 order by at limit $2
) returning at`,
        [now - KEPT_MS, MOST_FORGOTTEN],
      ),
    );
    if (gone.length === MOST_FORGOTTEN) forgottenAt = 0;
  };
  return async (call, { route, fingerprint }, work) => {
    const { idempotencyKey: key, principal } = call;
    if (key === undefined) return store.transaction("once", work, LONGEST_MS);
    if (key === "" || key.length > LONGEST_KEY) {
      const message = {
        en: `it must have 1 to ${LONGEST_KEY} characters`,
        ko: `1자 이상 ${LONGEST_KEY}자 이하여야 합니다`,
      };
      throw validationFailed([{ in: "header", field: "Idempotency-Key", message }]);
    }
    const id = [ownerOf(principal), route, key];
    // Rows that stay do no harm, and the request itself notices if the store is away.
    await forget(store.clock.now()).catch(() => {});
    return store.transaction(
      "once",
      async (tx) => {
        const now = store.clock.now();
        const [made] = await tx.query(
          `insert into server_answers (owner, route, idempotency_key, fingerprint, at) values ($1, $2, $3, $4, $5)
on conflict (owner, route, idempotency_key) do update
set fingerprint = excluded.fingerprint, at = excluded.at, answer = null where server_answers.at < $6 returning owner`,
          [...id, fingerprint, now, now - KEPT_MS],
        );
        if (made) {
          const answer = await work(tx);
          await tx.query(
            "update server_answers set answer = $4 where owner = $1 and route = $2 and idempotency_key = $3",
            [...id, JSON.stringify(answer)],
          );
          return answer;
        }
        const [known] = await tx.query<{ fingerprint: string; answer: string }>(
          "select fingerprint, answer from server_answers where owner = $1 and route = $2 and idempotency_key = $3",
          id,
        );
        if (known?.fingerprint !== fingerprint) throw new AndonError("IDEMPOTENCY_CONFLICT", { key });
        return JSON.parse(known.answer);
      },
      LONGEST_MS,
    );
  };
}

/** The owner of the idempotency keys. An API key and its sessions are one owner, known by id because names may repeat. */
function ownerOf({ tenantId, organizationId, actor, keyId }: Principal): string {
  const scope = organizationId === null ? (tenantId ?? "") : JSON.stringify([tenantId, organizationId]);
  return `${scope}/${keyId === undefined ? actor : `key-id:${keyId}`}`;
}
