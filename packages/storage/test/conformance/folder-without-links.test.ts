import files from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { openFolder } from "../places.ts";
import { describeStorage } from "./suite.ts";

// Simulates a file system without hard links, such as exFAT and some mounts of SMB and FUSE.
beforeAll(() => {
  vi.spyOn(files, "link").mockRejectedValue(
    Object.assign(new Error("operation not permitted, link"), { code: "EPERM" }),
  );
  syncBuiltinESMExports();
});
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

describeStorage("a folder without hard links", openFolder, { runs: 30 });

it("reports that it looks up a name before it writes", async () => {
  const place = await openFolder();
  expect(await place.storage.capabilities()).toEqual({ overwriting: "looked-up", folders: "real" });
  await place.close();
});
