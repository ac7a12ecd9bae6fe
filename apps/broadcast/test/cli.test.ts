import { andon, temporaryFolder } from "@andon/cli/testing";
import { startRedis } from "@andon/testkit";
import { expect, test } from "vitest";
import { BroadcastServer, SLOW } from "./harness.ts";

test("andon bulk lists, shows, throttles, aborts, resumes, watches and deletes", async () => {
  const server = await BroadcastServer.start("sqlite");
  const env = { ANDON_URL: server.url, ANDON_TOKEN: server.adminToken, LANG: "en" };
  const bulk = (...words: string[]) => andon(["bulk", ...words], { env });
  try {
    await server.addChannels(60);
    const id = await server.makeJob(SLOW);
    await server.processed(id, 10);
    expect((await bulk("list", "--state", "RUNNING")).stdout).toContain(id);
    expect((await bulk("throttle", id, "--pause", "50")).stdout).toContain("pause 50 ms");
    const fast = JSON.parse((await bulk("throttle", id, "--max-per-second", "5000", "--json")).stdout);
    expect(fast.throttle).toEqual({ pauseMs: 50, maxPerSecond: 5_000 });
    const free = JSON.parse((await bulk("throttle", id, "--unlimited", "--json")).stdout);
    expect(free.throttle).toEqual({ pauseMs: 50, maxPerSecond: null });
    expect((await bulk("throttle", id)).code).toBe(2);
    expect((await bulk("abort", id, "--reason", "busy")).stdout).toContain("stops within");
    const { stdout, code } = await bulk("watch", id);
    expect([stdout.includes("ABORTED"), code]).toEqual([true, 1]);
    expect(JSON.parse((await bulk("show", id, "--json")).stdout).receipt.reason).toBe("busy");
    expect((await bulk("resume", id)).stdout).toContain("WAITING");
    expect((await bulk("watch", id)).code).toBe(0);
    expect((await bulk("delete", id, "--reason", "done")).stdout).toContain("deleted");
    const gone = await bulk("show", id);
    expect([gone.code, gone.stderr.includes("BULK_JOB_NOT_FOUND")]).toEqual([5, true]);
    expect((await bulk("--help", "--lang", "ko")).stdout).toContain("대량 작업");
  } finally {
    await server.close();
  }
});

test("andon doctor reports whether Redis answers", async () => {
  const redis = await startRedis();
  const folder = temporaryFolder();
  const env = { ANDON_URL: "http://127.0.0.1:1", ANDON_DATA: folder.path, ANDON_REDIS_URL: redis.url };
  const found = async () => {
    const { stdout } = await andon(["doctor", "--json"], { env, folder: folder.path });
    const { findings } = JSON.parse(stdout) as { findings: { check: string; level: string }[] };
    return findings.filter(({ check }) => check === "redis").map(({ level }) => level);
  };
  try {
    expect(await found()).toEqual(["ok"]);
    await redis.kill();
    expect(await found()).toEqual(["warn"]);
  } finally {
    await redis.stop();
    folder.remove();
  }
}, 30_000);
