/** Compares docs/{en,ko}/reference/library.md with the signatures and doc comments of the sources; see reference.test.ts. */
import { readdirSync, readFileSync } from "node:fs";
import { ERROR_CATALOGUE, type ErrorCode } from "@andon/contract";
import { storeOptions } from "@andon/store";
import { describe, expect, test } from "vitest";
import { Declarations, type Declared } from "./reference/declarations.ts";
import { optionsOf, type Schema } from "./reference/options.ts";
import {
  code,
  expectGenerated,
  foreignTo,
  keepKorean,
  LANGUAGES,
  readPage,
  rowsOf,
  table,
} from "./reference/pages.ts";

const LIBRARY = "packages/engine/src/library";
const members = (path: string, name: string) => new Declarations(path).membersOf(name);
const calls = (path: string, names: readonly string[]) =>
  names.map((name) => new Declarations(path).callOf(name));

/** The tables of the page, by their mark. */
const TABLES: Readonly<Record<string, () => Declared[]>> = {
  open: () => calls("packages/andon/src/index.ts", ["open"]),
  AndonOptions: () => members(`${LIBRARY}/andon-options.ts`, "AndonOptions"),
  StoreOptions: () =>
    optionsOf(storeOptions.shape as unknown as Record<string, Schema>).map(({ name, meaning, unit }) => ({
      signature: `${name}?: ${unit.replaceAll("`", '"').replaceAll('", "', '" | "')}`,
      meaning,
    })),
  Andon: () => members(`${LIBRARY}/andon.ts`, "Andon"),
  QueueOptions: () => members(`${LIBRARY}/andon-options.ts`, "QueueOptions"),
  Queue: () => members(`${LIBRARY}/queue.ts`, "Queue"),
  WorkerHandle: () => members(`${LIBRARY}/work.ts`, "WorkerHandle"),
  HandlerContext: () => members("packages/engine/src/worker/handler.ts", "HandlerContext"),
  StageHandler: () => members("packages/engine/src/worker/handler.ts", "StageHandler"),
  outcomes: () => [
    ...calls("packages/engine/src/worker/handler.ts", ["commit", "JobAborted"]),
    ...calls("packages/engine/src/lifecycle/thrown.ts", ["Unretryable", "Snooze", "Park", "DestinationDown"]),
  ],
  bulk: () => calls("packages/engine/src/bulk/bulk.ts", ["bulk"]),
  BulkOptions: () => members("packages/engine/src/bulk/bulk.ts", "BulkOptions"),
  Schedules: () => members("packages/engine/src/schedules/schedules.ts", "Schedules"),
  Outbox: () => members("packages/engine/src/outbox/outbox.ts", "Outbox"),
  Reading: () => members(`${LIBRARY}/reading.ts`, "Reading"),
  Decision: () => members("packages/contract/src/shapes.ts", "Decision"),
  Job: () => members("packages/contract/src/shapes.ts", "Job"),
  QueueStatus: () => members("packages/contract/src/shapes.ts", "QueueStatus"),
  Lane: () => members("packages/contract/src/shapes.ts", "Lane"),
  StopCertificate: () => members("packages/contract/src/shapes.ts", "StopCertificate"),
  Why: () => members("packages/contract/src/shapes.ts", "Why"),
};

const HEADS = {
  en: { calls: ["call or member", "meaning"], errors: ["code", "message"] },
  ko: { calls: ["호출 또는 항목", "뜻"], errors: ["코드", "메시지"] },
};

describe.each(LANGUAGES)("docs/%s/reference/library.md", (language) => {
  test.each(Object.entries(TABLES))("lists %s as the sources have it", (mark, declared) => {
    const rows = declared().map(({ signature, meaning }) => [code(signature), meaning]);
    expect(rows).not.toEqual([]);
    expectGenerated(language, "library", mark, (now) =>
      table(HEADS[language].calls, keepKorean(language, now, rows, 1)),
    );
  });

  test("lists the errors that the library throws", () => {
    const rows = thrownCodes().map((name) => [
      code(name),
      ERROR_CATALOGUE[name][language].replaceAll("<", "&lt;"),
    ]);
    expectGenerated(language, "library", "errors", () => table(HEADS[language].errors, rows));
  });
});

test("every public method and option of the library has a doc comment", () => {
  const silent = Object.entries(TABLES).flatMap(([mark, declared]) =>
    declared()
      .filter(({ meaning }) => meaning === "")
      .map(({ signature }) => `${mark}: ${signature}`),
  );
  expect(silent).toEqual([]);
});

test("the Korean page is in Korean", () => {
  expect(foreignTo([...rowsOf(readPage("ko", "library")).values()].map((row) => row.join("")))).toEqual([]);
});

/** The codes that the engine, the store and the package `andon` throw. */
function thrownCodes(): ErrorCode[] {
  const found = new Set<string>();
  for (const folder of ["engine", "store", "andon"]) {
    const root = new URL(`../packages/${folder}/src/`, import.meta.url);
    for (const file of readdirSync(root, { recursive: true, encoding: "utf8" })) {
      if (!file.endsWith(".ts") || file.endsWith(".test.ts")) continue;
      const text = readFileSync(new URL(file.replaceAll("\\", "/"), root), "utf8");
      for (const [, name] of text.matchAll(/new AndonError\(\s*"([A-Z_]+)"/g)) found.add(name as string);
    }
  }
  const codes = Object.keys(ERROR_CATALOGUE) as ErrorCode[];
  return codes.filter((name) => found.has(name));
}
