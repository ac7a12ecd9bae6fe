import { readdirSync, readFileSync } from "node:fs";
import { spawnNode } from "@andon/testkit";
import { expect, test } from "vitest";

const folder = new URL("./", import.meta.url);
const programs = readdirSync(folder).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));

test("every expected output belongs to an example", () => {
  const expected = readdirSync(folder).filter((name) => name.endsWith(".out"));
  expect(expected).toEqual(programs.map((name) => name.replace(/\.ts$/, ".out")));
});

test.for(programs)("%s prints its expected output", async (name) => {
  const child = spawnNode(new URL(name, folder));
  child.end();
  const { code } = await child.exited;
  expect({ code, stderr: child.stderr }).toEqual({ code: 0, stderr: "" });
  expect(child.stdout).toBe(readFileSync(new URL(name.replace(/\.ts$/, ".out"), folder), "utf8"));
});
