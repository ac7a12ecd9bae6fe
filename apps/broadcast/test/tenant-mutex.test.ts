import { expect, test } from "vitest";
import { TenantMutex } from "../src/channels/tenant-mutex.ts";

test("imports of one tenant are stored one at a time, in parallel with those of others", async () => {
  const mutex = new TenantMutex();
  const log: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await new Promise<void>((resolve) => ends.push(resolve));
    log.push(`${name} ends`);
    if (name === "a1") throw new Error("refused");
  };
  const first = mutex.run("a", work("a1"));
  const second = mutex.run("a", work("a2"));
  const other = mutex.run("b", work("b1"));
  await expect.poll(() => ends.length).toBe(2);
  ends.shift()?.();
  await expect(first).rejects.toThrow("refused");
  await expect.poll(() => ends.length).toBe(2);
  for (const end of ends) end();
  await Promise.all([second, other]);
  expect(log.slice(0, 4)).toEqual(["a1 begins", "b1 begins", "a1 ends", "a2 begins"]);
});
