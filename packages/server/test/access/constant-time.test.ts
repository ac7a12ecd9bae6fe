import { expect, test, vi } from "vitest";

const compared = vi.hoisted(() => [] as [number, number][]);
vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const timingSafeEqual = (one: Buffer, other: Buffer) => {
    compared.push([one.byteLength, other.byteLength]);
    return crypto.timingSafeEqual(one, other);
  };
  return { ...crypto, timingSafeEqual };
});

const { describeAccess, bearer, ADMIN_TOKEN } = await import("./bench.ts");

describeAccess("the admin token", (bench) => {
  test.for([ADMIN_TOKEN, "x", `${ADMIN_TOKEN}x`, "andon_something"])(
    "is compared in constant time, whatever is given: %s",
    async (given) => {
      compared.length = 0;
      await bench().access.authenticate(bearer(given));
      expect(compared).toEqual([[32, 32]]);
    },
  );
});
