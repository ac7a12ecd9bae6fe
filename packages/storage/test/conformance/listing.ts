import { expect, it } from "vitest";
import { listed, put } from "../bytes.ts";
import type { Ground } from "./ground.ts";

export function describeListing({ storage, home, at }: Ground): void {
  it("lists a folder, or everything below it", async () => {
    await put(storage(), at("b.txt"), "bb");
    await put(storage(), at("a/1"), "1");
    await put(storage(), at("a/deep/2"), "22");
    const found = [];
    for await (const { path, kind, size } of storage().list(home())) found.push({ path, kind, size });
    expect(found.sort((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: at("a"), kind: "folder", size: 0 },
      { path: at("b.txt"), kind: "file", size: 2 },
    ]);
    const all = await listed(storage(), home());
    expect(all.map(({ path, kind }) => [path, kind])).toEqual([
      [at("a"), "folder"],
      [at("a/1"), "file"],
      [at("a/deep"), "folder"],
      [at("a/deep/2"), "file"],
      [at("b.txt"), "file"],
    ]);
  });

  it("lists nothing for a missing folder", async () => {
    expect(await listed(storage(), at("none"))).toEqual([]);
  });

  it("lists more than a page", async () => {
    const paths = Array.from({ length: 35 }, (_, index) => at(`many/${String(index).padStart(2, "0")}`));
    for (const path of paths) await put(storage(), path, "x");
    expect((await listed(storage(), at("many"))).map(({ path }) => path)).toEqual(paths);
  });
}
