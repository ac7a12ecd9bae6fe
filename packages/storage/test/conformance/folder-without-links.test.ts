import { expect, it, vi } from "vitest";
import { openFolder } from "../places.ts";
import { describeStorage } from "./suite.ts";

// A file system without hard links, as exFAT and some mounts of SMB and FUSE are.
vi.mock("node:fs/promises", async (original) => ({
  ...(await original<typeof import("node:fs/promises")>()),
  link: async () => {
    throw Object.assign(new Error("operation not permitted, link"), { code: "EPERM" });
  },
}));

describeStorage("a folder without hard links", openFolder, { runs: 30 });

it("says that it has to look before it writes", async () => {
  const place = await openFolder();
  expect(await place.storage.capabilities()).toEqual({ overwriting: "looked-up", folders: "real" });
  await place.close();
});
