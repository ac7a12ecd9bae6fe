import { readFileSync } from "node:fs";
import { FAULTS, type FaultCode } from "@andon/storage";
import { expect, it } from "vitest";
import { isDoubtful } from "../src/faults.ts";

const codes = Object.keys(FAULTS) as FaultCode[];

it.each(["en", "ko"])("the guide (%s) lists every fault code and whose fault it is", (language) => {
  const page = readFileSync(new URL(`../../../docs/${language}/guide/storage.md`, import.meta.url), "utf8");
  const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\w+) \|/gm)].map(([, code, fault]) => [code, fault]);
  expect(rows).toEqual(codes.map((code) => [code, FAULTS[code].fault]));
  const afterTheTable = page.slice(page.lastIndexOf("|"));
  const doubtful = [...afterTheTable.matchAll(/`([A-Z_]+)`/g)].map(([, code]) => code);
  expect(doubtful.sort()).toEqual(codes.filter(isDoubtful).sort());
});
