import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

/** After this many uses a text is prepared, whatever the store's rule. */
const OFTEN = 10;
/** 2^53 + 1: the first integer that a `number` cannot hold. */
const LARGE = 9_007_199_254_740_993n;
const SEVERAL = { code: "SEVERAL_STATEMENTS", status: 400 };

async function run<Row = Record<string, unknown>>(bench: Bench, sql: string, params: unknown[] = []) {
  return (await bench.andon.transaction((tx) => tx.query<Row>(sql, params))).map((row) => ({ ...row }));
}

/** Texts with semicolons that are a single statement, with their result. */
const ONE_STATEMENT: Record<StoreKind["name"], readonly [string, unknown][]> = {
  sqlite: [
    ["select 'a;b' as x", "a;b"],
    ["select 'it''s; me' as x;", "it's; me"],
    ['select "n;m" as x from (select 1 as "n;m") ; ', 1],
    ["select [n;m] as x from (select 1 as [n;m]);;", 1],
    ["-- first; second\nselect 1 as x; -- third; fourth", 1],
    ["select 1 as x /* a; b */; /* c; d */\n", 1],
    ["select $1 as x; /* is not closed", null],
  ],
  postgres: [
    ["select 'a;b' as x", "a;b"],
    ["select 'it''s; me' as x;", "it's; me"],
    ['select "n;m" as x from (select 1 as "n;m") _ ; ', 1],
    ["-- first; second\nselect 1 as x; -- third; fourth", 1],
    ["select 1 as x /* a; /* b; */ c; */; /* d; e */\n", 1],
    ["select $$a; $b$; c$$ as x", "a; $b$; c"],
    ["select $q$a; $$; c$q$ as x;", "a; $$; c"],
    ["select E'a\\'; b' as x", "a'; b"],
  ],
};

/** A statement whose body contains statements. */
const WITH_BODY: Record<StoreKind["name"], readonly string[]> = {
  sqlite: [
    "create trigger twice after insert on notes when new.n = 1 begin insert into notes (n) values (10); insert into notes (n) values (20); end;",
  ],
  postgres: [
    `create function twice() returns trigger language plpgsql as $$ begin
       insert into notes (n) values (10); insert into notes (n) values (20); return null; end $$;`,
    "create trigger twice after insert on notes for each row when (new.n = 1) execute function twice()",
  ],
};

/** Changes a column's type: on SQLite by a copy, since a column cannot be altered there. */
const WIDEN: Record<StoreKind["name"], readonly string[]> = {
  sqlite: [
    "create table wider (n text, word text)",
    "insert into wider select n, word from notes",
    "drop table notes",
    "alter table wider rename to notes",
  ],
  postgres: ["alter table notes alter column n type text"],
};

/** The SQL of `tx.query` and `store.query` means the same on both databases. */
export function describeCallersSql(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "callers' SQL", (it) => {
    it("refuses several statements in one text, however often it is sent, and runs none of them", async (bench) => {
      await run(bench, "create table notes (n bigint)");
      const both = "insert into notes (n) values (1); insert into notes (n) values (2)";
      for (let times = 0; times < OFTEN; times++)
        await expect(run(bench, both)).rejects.toMatchObject(SEVERAL);
      await expect(run(bench, "select $1; select 2", [1])).rejects.toMatchObject(SEVERAL);
      await expect(bench.store.query("select 1; select 2")).rejects.toMatchObject(SEVERAL);
      expect(await run(bench, "select n from notes")).toEqual([]);
    });

    it("accepts a semicolon that does not end a statement", async (bench) => {
      await run(bench, "create table notes (n bigint)");
      for (const [text, x] of ONE_STATEMENT[bench.kind.name]) {
        const params = text.includes("$1") ? [null] : [];
        for (let times = 0; times < OFTEN; times++) expect(await run(bench, text, params)).toEqual([{ x }]);
      }
      for (const text of WITH_BODY[bench.kind.name]) await run(bench, text);
      await run(bench, "insert into notes (n) values (1)");
      expect(await run(bench, "select n from notes order by n")).toEqual([{ n: 1 }, { n: 10 }, { n: 20 }]);
      if (bench.kind.name === "postgres") await run(bench, "drop function twice() cascade");
    });

    it("returns an integer that a number cannot hold as bigint, and accepts it as a parameter", async (bench) => {
      await run(bench, "create table notes (n bigint, word text)");
      for (const [n, word] of [
        [LARGE - 1n, "before"],
        [LARGE, "exact"],
        [-LARGE, "negative"],
        [7n, "small"],
        [2n ** 63n - 1n, "largest"],
      ])
        await run(bench, "insert into notes (n, word) values ($1, $2)", [n, word]);
      for (let times = 0; times < OFTEN; times++) {
        expect(await run(bench, "select n, word from notes order by n")).toEqual([
          { n: -LARGE, word: "negative" },
          { n: 7, word: "small" },
          { n: LARGE - 1n, word: "before" },
          { n: LARGE, word: "exact" },
          { n: 2n ** 63n - 1n, word: "largest" },
        ]);
      }
      const found = await run<{ n: bigint }>(bench, "select n from notes where word = 'exact'");
      expect(await run(bench, "select word from notes where n = $1", [found[0]?.n])).toEqual([
        { word: "exact" },
      ]);
      expect(await bench.store.query("select n from notes where n = $1", [LARGE])).toEqual([
        expect.objectContaining({ n: LARGE }),
      ]);
    });

    it("runs a writing statement once although it returns an integer that a number cannot hold", async (bench) => {
      await run(bench, "create table notes (n bigint)");
      const insert = "insert into notes (n) values ($1) returning n";
      expect(await run(bench, insert, [LARGE])).toEqual([{ n: LARGE }]);
      expect(await run(bench, insert, [3])).toEqual([{ n: 3 }]);
      const moved = "update notes set n = n + 2 where n = $1 returning n";
      expect(await run(bench, moved, [LARGE])).toEqual([{ n: LARGE + 2n }]);
      expect(await run(bench, "select n from notes order by n")).toEqual([{ n: 3 }, { n: LARGE + 2n }]);
    });

    it("still works after a migration changed what its texts return", async (bench) => {
      await run(bench, "create table notes (n integer, word text)");
      await run(bench, "insert into notes (n, word) values (1, 'a')");
      const texts = ["select n, word from notes", "select n from notes", "select max(n) as n from notes"];
      const lookInside = () =>
        bench.andon.transaction(async (tx) => {
          const seen: unknown[] = [];
          for (const text of texts) seen.push((await tx.query<{ n: unknown }>(text))[0]?.n);
          return seen;
        });
      const lookOutside = async () => (await bench.store.query<{ n: unknown }>(texts[0] as string))[0]?.n;
      for (let times = 0; times < OFTEN; times++) {
        expect(await lookInside()).toEqual([1, 1, 1]);
        expect(await lookOutside()).toBe(1);
      }
      for (const text of WIDEN[bench.kind.name]) await run(bench, text);
      expect(await lookOutside()).toBe("1");
      expect(await lookInside()).toEqual(["1", "1", "1"]);
      for (const text of WIDEN[bench.kind.name].slice(0, 1).filter((sql) => sql.startsWith("alter")))
        await run(bench, text.replace("type text", "type integer using n::integer"));
      await expect(lookInside()).resolves.toHaveLength(3);
      await expect(lookOutside()).resolves.toBeDefined();
    });
  });
}
