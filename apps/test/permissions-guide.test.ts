import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { PERMISSIONS } from "./harness.ts";

test.for(["en", "ko"])("the guide in %s explains every permission", (language) => {
  const page = new URL(`../../docs/${language}/guide/access.md`, import.meta.url);
  const rows = [...readFileSync(page, "utf8").matchAll(/^\| `(\w+(?:\.\w+)?)` \| .+ \|$/gm)];
  expect(rows.map(([, permission]) => permission).sort()).toEqual([...PERMISSIONS].sort());
});
