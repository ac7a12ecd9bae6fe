import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { keysBelow, pathKey } from "../../src/names/path-key.ts";
import type { VaultSettings } from "../../src/vault-context.ts";

const settings = (caseInsensitive: boolean): VaultSettings => ({
  nas: "file:nas",
  trashKeep: 0,
  maxUploadSize: 0,
  windowsNames: false,
  caseInsensitive,
  language: "en",
});

const name = fc.string({
  unit: fc.constantFrom("a", "Z", "é", "가", "👩", " ", "0", "#", "~"),
  minLength: 1,
  maxLength: 80,
});
const names = fc.array(name, { minLength: 1, maxLength: 12 });
const rules = fc.boolean().map(settings);

const order = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe("the keys of paths", () => {
  test("fit into the key of a lane, however long the path is", async () => {
    await fc.assert(
      fc.property(names, rules, (path, rule) => {
        expect(Buffer.byteLength(`path:${pathKey(path.join("/"), rule)}`)).toBeLessThanOrEqual(1_000);
      }),
    );
  });

  test("of a folder's files are in the folder's range of keys", async () => {
    await fc.assert(
      fc.property(names, names, rules, (folder, inner, rule) => {
        const key = pathKey([...folder, ...inner].join("/"), rule);
        const { from, to } = keysBelow(folder.join("/"), rule);
        expect([order(from, key) <= 0, order(key, to) < 0]).toEqual([true, true]);
      }),
    );
  });

  test("of neighbours of a folder with a short path are not in its range", async () => {
    await fc.assert(
      fc.property(name, name, name, rules, (folder, more, inner, rule) => {
        const { from, to } = keysBelow(folder, rule);
        for (const path of [folder, `${folder}${more}`, `${folder}${more}/${inner}`]) {
          const key = pathKey(path, rule);
          expect(order(from, key) <= 0 && order(key, to) < 0).toBe(false);
        }
      }),
    );
  });

  test("are equal for paths that differ in case, if the NAS treats these as the same", () => {
    expect(pathKey("A/É", settings(true))).toBe(pathKey("a/e\u0301", settings(true)));
    expect(pathKey("A", settings(false))).not.toBe(pathKey("a", settings(false)));
  });
});
