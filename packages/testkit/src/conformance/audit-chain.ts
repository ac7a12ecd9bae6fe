import { auditHash, GENESIS } from "@andon/engine";
import { expect, vi } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const COLUMNS = [
  "id",
  "actor",
  "at",
  "action",
  "target",
  "reason",
  "before_json",
  "after_json",
  "seq",
  "hash",
  "tenant",
];

/** Changes rows behind the chain's back, returns the verdict of `verifyAudit`, and restores everything. */
async function verdictAfter(bench: Bench, ...statements: string[]) {
  const rows = await bench.andon.transaction((tx) =>
    tx.query<Record<string, unknown>>(`select ${COLUMNS.join(", ")} from andon_audit`),
  );
  await bench.andon.transaction(async (tx) => {
    for (const sql of statements) await tx.query(sql);
  });
  const verdict = await bench.andon.verifyAudit();
  await bench.andon.transaction(async (tx) => {
    await tx.query("delete from andon_audit");
    const marks = COLUMNS.map((_, index) => `$${index + 1}`).join(", ");
    for (const row of rows)
      await tx.query(
        `insert into andon_audit (${COLUMNS.join(", ")}) values (${marks})`,
        COLUMNS.map((column) => row[column]),
      );
  });
  return verdict;
}

async function decisions(bench: Bench, count: number) {
  const queue = bench.queue();
  for (let n = 0; n < count; n++) await queue.hold(`k${n}`, { actor: `person ${n}`, reason: "한 번 보자" });
  return queue;
}

const COPY = `insert into andon_audit (${COLUMNS.join(", ")})
select 'slipped in', actor, at, action, target, reason, before_json, after_json`;

/** Changes to the rows, and the first place where the chain is then broken. */
const TAMPERED: [string, string[], { seq: number; problem: string }][] = [
  [
    "a changed reason",
    ["update andon_audit set reason = 'nothing to see here' where seq = 3"],
    { seq: 3, problem: "changed" },
  ],
  [
    "another actor",
    ["update andon_audit set actor = 'somebody else' where seq = 1"],
    { seq: 1, problem: "changed" },
  ],
  [
    "a changed row whose own hash was made to fit",
    [`update andon_audit set hash = '${"a".repeat(64)}' where seq = 4`],
    { seq: 4, problem: "changed" },
  ],
  ["a row that was removed", ["delete from andon_audit where seq = 2"], { seq: 2, problem: "missing" }],
  [
    "a row that was removed, with the later ones moved up",
    [
      "delete from andon_audit where seq = 2",
      "update andon_audit set seq = 2 where seq = 3",
      "update andon_audit set seq = 3 where seq = 4",
      "update andon_audit set seq = 4 where seq = 5",
      "update andon_audit set seq = 5 where seq = 6",
    ],
    { seq: 2, problem: "changed" },
  ],
  [
    "rows that were cut off at the end",
    ["delete from andon_audit where seq > 4"],
    { seq: 5, problem: "cut-off" },
  ],
  ["all rows gone", ["delete from andon_audit"], { seq: 1, problem: "cut-off" }],
  [
    "two rows that changed places",
    [
      "update andon_audit set seq = 100 where seq = 2",
      "update andon_audit set seq = 2 where seq = 3",
      "update andon_audit set seq = 3 where seq = 100",
    ],
    { seq: 2, problem: "changed" },
  ],
  [
    "a row put at the end",
    [`${COPY}, 7, hash, tenant from andon_audit where seq = 6`],
    { seq: 7, problem: "changed" },
  ],
];

/** The audit log is a hash chain that every change of a row breaks (X7, G11). */
export function describeAuditChain(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "audit chain", (it) => {
    it("holds over every decision, and its head is the hash of the last row", async (bench) => {
      expect(await bench.andon.verifyAudit()).toEqual({
        holds: true,
        rows: 0,
        checkedBefore: 0,
        head: GENESIS,
        broken: null,
      });
      await decisions(bench, 5);
      const rows = await bench.store.read.auditChain(0, 100);
      expect(rows.map((row) => row.seq)).toEqual([1, 2, 3, 4, 5]);
      let head = GENESIS;
      for (const row of rows) head = auditHash(head, row);
      expect(await bench.andon.verifyAudit()).toEqual({
        holds: true,
        rows: 5,
        checkedBefore: 0,
        head,
        broken: null,
      });
    });

    it("has no gap when processes decide at once, or a decision is rolled back", async (bench) => {
      const refusing = {
        cancelled() {
          throw new Error("no");
        },
      };
      const here = bench.queue<string>({}, { hooks: refusing });
      const there = (await bench.another()).queue<string>("other");
      const { id } = await here.add("x");
      await Promise.all(
        Array.from({ length: 12 }, async (_, n) => {
          await (n % 2 ? here : there).hold(`k${n}`, KIM);
          if (n % 4 === 0) await expect(here.cancel(id, KIM)).rejects.toThrow("no");
        }),
      );
      expect(await bench.andon.verifyAudit()).toMatchObject({ holds: true, rows: 12 });
    });

    for (const [what, statements, broken] of TAMPERED) {
      it(`notices ${what}`, async (bench) => {
        await decisions(bench, 6);
        const verdict = await verdictAfter(bench, ...statements);
        expect(verdict).toMatchObject({ holds: false, broken });
        if (broken.problem === "changed") expect(verdict.broken?.id).toEqual(expect.any(String));
        else expect(verdict.broken?.id).toBeNull();
        expect(await bench.andon.verifyAudit()).toMatchObject({ holds: true, rows: 6 });
      });
    }

    it("is checked from the last verified row on, or as a whole on request", async (bench) => {
      const row = { actor: "kim", action: "note", reason: null, before: null, after: null };
      const add = (count: number) =>
        bench.store.transaction("notes", async (tx) => {
          for (let n = 0; n < count; n++) await tx.addAudit({ ...row, target: `note:${n}` });
        });
      for (let n = 0; n < 3; n++) await add(2_000);
      expect(await bench.andon.verifyAudit()).toMatchObject({ holds: true, rows: 6_000, checkedBefore: 0 });
      const read = vi.spyOn(bench.store.read, "auditChain");
      const both = await Promise.all([bench.andon.verifyAudit(), bench.andon.verifyAudit()]);
      expect(both[0]).toMatchObject({ holds: true, rows: 6_000, checkedBefore: 1_000 });
      expect(both[1]).toBe(both[0]);
      expect(read.mock.calls.length).toBeLessThan(30);
      read.mockRestore();
      const change = (sql: string) => bench.andon.transaction((tx) => tx.query(sql));
      await change("update andon_audit set actor = 'lee' where seq = 500");
      expect(await bench.andon.verifyAudit()).toMatchObject({ holds: true });
      const whole = await bench.andon.verifyAudit({ full: true });
      expect(whole).toMatchObject({ holds: false, broken: { seq: 500, problem: "changed" } });
      await change("update andon_audit set actor = 'lee' where seq = 5500");
      const late = await bench.andon.verifyAudit();
      expect(late).toMatchObject({ holds: false, broken: { seq: 5_500, problem: "changed" } });
      // Cutting rows off and adjusting the head leaves the chain behind its verified part.
      await change("delete from andon_audit where seq > 5400");
      await change(
        "update andon_audit_head set seq = 5400, hash = (select hash from andon_audit where seq = 5400)",
      );
      const short = await bench.andon.verifyAudit();
      expect(short).toMatchObject({ holds: false, broken: { seq: 5_401, problem: "cut-off" } });
      for (const sql of [
        "delete from andon_audit",
        "delete from andon_audit_checked",
        `update andon_audit_head set seq = 0, hash = '${GENESIS}'`,
      ])
        await change(sql);
    });

    it("can be filtered by target, actor, action and tenant, alone and together", async (bench) => {
      const queue = bench.queue<string>();
      const [a, b] = await queue.addMany(["a", "b"], (payload) => ({ tenant: `tenant-${payload}` }));
      await queue.cancel(a?.id as string, { actor: "lee" });
      await queue.cancel(b?.id as string, { actor: "kim" });
      await queue.hold("k", { actor: "kim" });
      await queue.hold("l", { actor: "lee" });
      const found = async (filter: Parameters<typeof bench.andon.audit>[0]) => {
        const page = await bench.andon.audit(filter);
        expect(page.total).toBe(page.items.length);
        return page.items.map((row) => `${row.actor} ${row.action}`).sort();
      };
      expect(await found({ actor: "kim" })).toEqual(["kim job.cancel", "kim lane.hold"]);
      expect(await found({ action: "job.cancel" })).toEqual(["kim job.cancel", "lee job.cancel"]);
      expect(await found({ tenant: "tenant-a" })).toEqual(["lee job.cancel"]);
      expect(await found({ tenant: "tenant-a", actor: "kim" })).toEqual([]);
      expect(await found({ actor: "lee", action: "lane.hold" })).toEqual(["lee lane.hold"]);
      expect(await found({ target: `job:${b?.id}`, tenant: "tenant-a" })).toEqual([]);
      expect(await found({ target: `job:${b?.id}`, tenant: "tenant-b" })).toEqual(["kim job.cancel"]);
      expect(await found({})).toHaveLength(4);
    });
  });
}
