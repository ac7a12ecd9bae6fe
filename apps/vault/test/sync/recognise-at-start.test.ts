import { expect, test } from "vitest";
import { recogniseAtStart } from "../../src/nas/recognise-at-start.ts";

test("a NAS that hangs does not prevent the process from starting", async () => {
  await expect(recogniseAtStart({ health: () => new Promise(() => {}) })).resolves.toBeUndefined();
});
