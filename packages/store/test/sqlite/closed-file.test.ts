import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Andon } from "@andon/engine";
import { expect, onTestFinished, test } from "vitest";
import { openStore } from "../../src/index.ts";

test("after a close the file is complete without its log", async () => {
  const folder = mkdtempSync(join(tmpdir(), "andon-closed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [file, copy] = [join(folder, "a.db"), join(folder, "copy.db")];
  const andon = new Andon(await openStore(`sqlite:${file}`));
  const { id } = await andon.queue("line").add({ n: 1 });
  await andon.close();
  copyFileSync(file, copy);
  const again = new Andon(await openStore(`sqlite:${copy}`));
  onTestFinished(() => again.close());
  expect(await again.job(id)).toMatchObject({ payload: { n: 1 }, state: "ready" });
});
