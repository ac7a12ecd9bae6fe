import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { ADMIN_TOKEN, bearer, describeAccess } from "./bench.ts";

const compare = vi.spyOn(crypto, "timingSafeEqual");
beforeAll(syncBuiltinESMExports);
afterAll(() => {
  compare.mockRestore();
  syncBuiltinESMExports();
});

describeAccess("the admin token", (bench) => {
  test.for([ADMIN_TOKEN, "x", `${ADMIN_TOKEN}x`, "andon_something"])(
    "is compared in constant time, whatever is given: %s",
    async (given) => {
      compare.mockClear();
      await bench().access.authenticate(bearer(given));
      expect(compare.mock.calls.map(([one, other]) => [one.byteLength, other.byteLength])).toEqual([
        [32, 32],
      ]);
    },
  );
});
