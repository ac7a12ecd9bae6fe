import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Call } from "@andon/app";
import { Andon, systemClock } from "@andon/engine";
import { openStore } from "@andon/store";
import { createDatabaseWith } from "@andon/testkit";
import { describe, expect, onTestFinished, test } from "vitest";
import { answerOnce } from "../src/http/idempotency.ts";
import { SERVER_MIGRATIONS } from "../src/migrations.ts";

const DAY = 86_400_000;
const REQUEST = { route: "make", fingerprint: "same" };
const called = (idempotencyKey: string) =>
  ({ idempotencyKey, principal: { tenantId: null, actor: "kim" } }) as unknown as Call;

const KINDS = {
  sqlite: async () => {
    const folder = mkdtempSync(join(tmpdir(), "andon-once-"));
    return {
      url: `sqlite:${join(folder, "andon.db")}`,
      drop: async () => rmSync(folder, { recursive: true }),
    };
  },
  postgres: () => createDatabaseWith("server"),
};

async function opened(kind: keyof typeof KINDS) {
  const database = await KINDS[kind]();
  const time = { ahead: 0 };
  const store = await openStore(database.url, {
    clock: { ...systemClock, now: () => Date.now() + time.ahead },
  });
  await store.migrate([SERVER_MIGRATIONS]);
  const andon = new Andon(store);
  onTestFinished(async () => {
    await andon.close();
    await database.drop();
  });
  return { store, once: answerOnce(andon), time };
}

describe.each(Object.keys(KINDS) as (keyof typeof KINDS)[])("answers for idempotency keys on %s", (kind) => {
  test("are kept for a day, and a later request deletes a bounded number of old ones", async () => {
    const { store, once, time } = await opened(kind);
    let made = 0;
    const make = async () => ({ made: ++made });
    expect(await once(called("a"), REQUEST, make)).toEqual({ made: 1 });
    expect(await once(called("a"), REQUEST, make)).toEqual({ made: 1 });
    await store.transaction("forge", (tx) =>
      tx.query(
        `insert into server_answers (owner, route, idempotency_key, fingerprint, answer, at)
with recursive n (i) as (select 1 union all select i + 1 from n where i < 1500)
select 'lee', 'make', 'key-' || i, '', '{}', i from n`,
        [],
      ),
    );
    const count = async () => (await store.query("select count(*) as n from server_answers"))[0];
    time.ahead = DAY / 2;
    await once(called("b"), REQUEST, make);
    expect(await count()).toEqual({ n: 502 });
    await once(called("c"), REQUEST, make);
    expect(await count()).toEqual({ n: 3 });
    // An old answer is not repeated, whether it was deleted or not.
    time.ahead = DAY / 2 + 1_000;
    await store.transaction("age", (tx) =>
      tx.query("update server_answers set at = 1 where owner <> 'lee'", []),
    );
    expect(await once(called("a"), { ...REQUEST, fingerprint: "new" }, make)).toEqual({ made: 4 });
  });
});

/** Only on PostgreSQL, because SQLite has one writer at a time. */
test("requests with different keys do not wait for each other while old answers exist", async () => {
  const { once, time } = await opened("postgres");
  await once(called("old"), REQUEST, async () => ({}));
  time.ahead = 2 * DAY;
  let letGo = () => {};
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let first: Promise<unknown> | undefined;
  await new Promise<void>((isAtWork) => {
    first = once(called("first"), REQUEST, async () => {
      isAtWork();
      await isLetGo;
      return {};
    });
  });
  expect(await once(called("second"), REQUEST, async () => ({ by: "second" }))).toEqual({ by: "second" });
  letGo();
  await first;
});
