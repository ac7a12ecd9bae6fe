import { postSafely, type Reach, reachableAddresses, refusalOf } from "@andon/app";
import { expect, test } from "vitest";
import { reachOf } from "../../src/alerts/reach.ts";
import { startReceiver } from "./receiver.ts";

const PUBLIC_ONLY: Reach = { private: false, loopback: false };
const LOOPBACK: Reach = { private: false, loopback: true };
const ALL: Reach = { private: true, loopback: true };

const never = "never";
const onRequest = "on request";
const always = "always";

test.each([
  ["8.8.8.8", always],
  ["2606:4700:4700::1111", always],
  ["10.1.2.3", onRequest],
  ["172.16.0.1", onRequest],
  ["192.168.0.1", onRequest],
  ["127.0.0.1", onRequest],
  ["127.8.9.10", onRequest],
  ["::1", onRequest],
  ["0.0.0.0", onRequest],
  ["::", onRequest],
  ["100.64.0.1", onRequest],
  ["198.18.0.1", onRequest],
  ["224.0.0.1", onRequest],
  ["255.255.255.255", onRequest],
  ["fd12:3456::1", onRequest],
  ["ff02::1", onRequest],
  ["2001:db8::1", onRequest],
  ["::ffff:10.0.0.1", onRequest],
  ["::ffff:8.8.8.8", onRequest],
  ["64:ff9b::10.0.0.1", onRequest],
  ["4000::1", onRequest],
  ["169.254.1.1", never],
  ["169.254.169.254", never],
  ["fe80::1", never],
  ["fe80::1%eth0", never],
  ["::ffff:169.254.169.254", never],
  ["::169.254.169.254", never],
  ["64:ff9b::169.254.169.254", never],
  ["2002:a9fe:a9fe::1", never],
  ["fd00:ec2::254", never],
  ["100.100.100.200", never],
  ["168.63.129.16", never],
  ["::ffff:168.63.129.16", never],
  ["192.0.0.192", never],
  ["not an address", never],
  ["2130706433", never],
])("%s is reached %s", (address, reached) => {
  expect(refusalOf(address, PUBLIC_ONLY) === undefined).toBe(reached === always);
  expect(refusalOf(address, ALL) === undefined).toBe(reached !== never);
});

test.each([
  [undefined, true, LOOPBACK],
  [undefined, false, PUBLIC_ONLY],
  [false, true, PUBLIC_ONLY],
  [false, false, PUBLIC_ONLY],
  [true, true, ALL],
  [true, false, ALL],
])("allowPrivateTargets %s with an embedded store %s", (allowPrivateTargets, isEmbedded, reach) => {
  expect(reachOf({ allowPrivateTargets }, isEmbedded)).toEqual(reach);
});

test("allowing loopback does not allow other addresses that lead to it", () => {
  expect(refusalOf("127.0.0.1", LOOPBACK)).toBeUndefined();
  expect(refusalOf("::1", LOOPBACK)).toBeUndefined();
  expect(refusalOf("10.0.0.1", LOOPBACK)).toBe("private");
  expect(refusalOf("::ffff:127.0.0.1", LOOPBACK)).toBe("ipv4Mapped");
  expect(refusalOf("0.0.0.0", LOOPBACK)).toBe("unspecified");
});

const { signal } = new AbortController();

test.each([
  "http://[::ffff:169.254.169.254]/",
  "http://169.254.169.254/latest/meta-data/",
  "http://2852039166/",
  "http://0xa9fea9fe/",
  "http://0251.0376.0251.0376/",
  "http://2130706433/",
  "http://127.1/",
  "http://[::1]/",
  "http://localhost/",
  "https://10.0.0.1/",
])("nothing is posted to %s", async (url) => {
  await expect(postSafely({ url, body: "{}" }, { reach: PUBLIC_ONLY, signal })).rejects.toMatchObject({
    code: "TARGET_REFUSED",
  });
});

test("metadata addresses are refused even if private ones are allowed", async () => {
  for (const url of ["http://[::ffff:169.254.169.254]/", "http://2852039166/", "http://[fe80::1]/"]) {
    await expect(postSafely({ url, body: "{}" }, { reach: ALL, signal })).rejects.toMatchObject({
      code: "TARGET_REFUSED",
    });
  }
});

test("a name with one forbidden address is refused", async () => {
  const lookup = async () => [
    { address: "8.8.8.8", family: 4 },
    { address: "10.0.0.7", family: 4 },
  ];
  await expect(reachableAddresses("hooks.example.com", PUBLIC_ONLY, lookup)).rejects.toThrow(
    "hooks.example.com is at 10.0.0.7, which messages may not be sent to (private)",
  );
  await expect(reachableAddresses("hooks.example.com", PUBLIC_ONLY, async () => [])).rejects.toThrow(
    "no address",
  );
});

test("the connection uses the checked address, and the name is looked up once", async () => {
  const receiver = await startReceiver();
  let asked = 0;
  const lookup = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "169.254.169.254", family: 4 }];
  const url = `http://rebinding.example:${receiver.port}/hook`;
  await postSafely({ url, body: "{}" }, { reach: LOOPBACK, signal, lookup });
  expect(asked).toBe(1);
  expect(receiver.received[0]?.headers.host).toBe(`rebinding.example:${receiver.port}`);
  await receiver.close();
});
