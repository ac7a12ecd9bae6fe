import { readFileSync } from "node:fs";
import { PERMISSIONS } from "@andon/contract";
import { expect, test } from "vitest";

test.for(["en", "ko"])(
  "the guide in %s explains every permission, in the order of the contract",
  (language) => {
    const page = new URL(`../../../../docs/${language}/guide/access.md`, import.meta.url);
    const rows = [...readFileSync(page, "utf8").matchAll(/^\| `(\w+(?:\.\w+)?)` \| .+ \|$/gm)];
    expect(rows.map(([, permission]) => permission)).toEqual([...PERMISSIONS]);
  },
);
