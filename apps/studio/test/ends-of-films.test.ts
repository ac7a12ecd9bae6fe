import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabaseWith, ensureFilmPrograms, spawnNode } from "@andon/testkit";
import { describe, expect, test } from "vitest";
import { describeStudio, png, SMALL_FILM, STORES, StudioServer, until } from "./harness.ts";

const hasPrograms = ensureFilmPrograms();
/** A film that takes so long to render that the test can stop it before its end. */
const LONG_FILM = { width: 1280, height: 720, fps: 60, sceneSeconds: 60 };

/** Two processes start and poll for work, one after the other. */
const PATIENCE_MS = 120_000;

/** The ffmpeg processes whose working directory is in this folder. */
function renderers(folder: string): number[] {
  return execFileSync("ps", ["-eo", "pid=,comm="], { encoding: "utf8" })
    .split("\n")
    .filter((line) => / ffmpeg$/.test(line.trimEnd()))
    .map((line) => Number.parseInt(line, 10))
    .filter((pid) => cwdOf(pid).startsWith(folder));
}

function cwdOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "";
  }
}

const workOf = (data: string) => join(data, "studio-work");

/**
 * Waits until the film is being rendered, and stops its ffmpeg, so that it uses no CPU time until something ends it. On a
 * slow machine the phase may already have failed.
 */
async function rendering(server: StudioServer, id: string): Promise<void> {
  await server.parked(id);
  await server.upload(id, png());
  await until(async () => {
    const found = renderers(workOf(server.data));
    for (const pid of found) process.kill(pid, "SIGSTOP");
    return found.length === 1 || (await server.task(id)).status === "failed";
  });
}

describeStudio("the end of a film", (it) => {
  if (!hasPrograms) return;

  it("a time-out kills ffmpeg and removes its incomplete files", {
    studio: {
      video: LONG_FILM,
      phases: ["schedule", "script", "image", { name: "video", timeout: "8s" }, "youtube"],
    },
  }, async (server) => {
    const id = await server.makeTask();
    await rendering(server, id);
    const task = await server.reaches(id, "video/failed");
    expect(task.error).toBe("Timeout: video took longer than 8 seconds");
    expect(task.logs.map(({ code }: { code: string }) => code)).toContain("RENDERING");
    expect(renderers(workOf(server.data))).toEqual([]);
    expect(readdirSync(workOf(server.data))).toEqual([]);
  });

  it("a cancel kills ffmpeg and keeps uploaded images", {
    studio: { video: LONG_FILM },
  }, async (server) => {
    const id = await server.makeTask();
    await rendering(server, id);
    expect((await server.done("POST", `/tasks/${id}/cancel`)).status).toBe("cancelled");
    expect(renderers(workOf(server.data))).toEqual([]);
    expect(readdirSync(workOf(server.data))).toEqual([]);
    const folder = join(server.data, "studio", "tasks", id);
    await until(async () => !existsSync(join(folder, "made")));
    expect(readdirSync(join(folder, "uploads"))).toHaveLength(1);
  });

  it("the error of a missing program names it and says how to install it", {
    studio: { video: { ffmpeg: "no-such-ffmpeg" } },
  }, async (server) => {
    const ready = await server.ask("GET", "/readyz");
    expect([ready.status, ready.body.status]).toEqual([200, "degraded"]);
    const id = await server.makeTask();
    await server.parked(id);
    await server.upload(id, png());
    const task = await server.reaches(id, "video/failed");
    expect([task.errorCode, task.error]).toEqual([
      "PROGRAM_MISSING",
      expect.stringContaining("apt-get install ffmpeg"),
    ]);
  });
});

describe.each(STORES)("a killed server on %s", (store) => {
  test.skipIf(!hasPrograms)(
    "loses no task, including tasks with late images, time-outs and later times",
    async () => {
      const data = mkdtempSync(join(tmpdir(), "andon-studio-kill-"));
      const database = store === "postgres" ? await createDatabaseWith("studio") : undefined;
      const ground = { data, ...(database ? { store: database.url } : {}) };
      // A dead worker's tasks go back to work after a second instead of thirteen.
      const queues = { studio: { lease: "1s", sweep: "200ms" } };
      const studio = {
        video: SMALL_FILM,
        phases: ["schedule", "script", { name: "image", timeout: "15s" }, "video", "youtube"],
        images: { allowPrivateTargets: true },
      };
      // A host that accepts the request for an image and never answers.
      const silent = createServer(() => {}).listen(0, "127.0.0.1");
      const children: ReturnType<typeof spawnNode>[] = [];
      // A child that the test kills renders a film that does not end before that.
      const start = (video: object) => {
        const settings = JSON.stringify({ ...ground, queues, studio: { ...studio, video } });
        const child = spawnNode(new URL("./studio-process.fixture.mjs", import.meta.url), [settings]);
        children.push(child);
        return child;
      };
      try {
        const server = await StudioServer.start(store, {
          ground,
          studio,
          settings: { roles: ["api"], queues },
        });
        const { port } = silent.address() as AddressInfo;
        const stuck = await server.makeTask({
          images: [`http://127.0.0.1:${port}/never.png`],
          script: "One.",
        });
        const late = await server.makeTask({ title: "late image", script: "One.", priority: 5 });
        const soon = new Date(Date.now() + 3_000).toISOString();
        const later = await server.makeTask({
          scheduledTime: soon,
          priority: 9,
          imageSource: "titles",
          script: "One.",
        });
        const ids: string[] = [];
        for (const priority of [0, 2, 1])
          ids.push(
            await server.makeTask({
              title: `film ${priority}`,
              priority,
              imageSource: "titles",
              script: "One.\n\nTwo.",
            }),
          );
        for (let kills = 0; kills < 2; kills++) {
          const child = start(LONG_FILM);
          await until(async () => renderers(workOf(data)).length > 0, PATIENCE_MS);
          child.kill("SIGKILL");
          await child.exited;
          await until(async () => renderers(workOf(data)).length === 0);
        }
        const last = start(SMALL_FILM);
        await server.parked(late);
        expect((await server.upload(late, png())).status).toBe(201);
        const timedOut = await server.reaches(stuck, "image/failed", PATIENCE_MS);
        expect(timedOut.error).toBe("Timeout: image took longer than 15 seconds");
        for (const id of [...ids, late, later]) {
          const task = await server.reaches(id, "youtube/completed", PATIENCE_MS);
          expect(task.phases.map((phase: { status: string }) => phase.status)).toEqual(
            Array(5).fill("completed"),
          );
        }
        last.kill("SIGTERM");
        await last.exited;
        expect(readdirSync(join(data, "published"))).toHaveLength(5);
        expect(readdirSync(workOf(data))).toEqual([]);
        await server.stop();
      } finally {
        for (const child of children) void child.kill("SIGKILL");
        silent.close();
        silent.closeAllConnections();
        await database?.drop();
        rmSync(data, { recursive: true, force: true });
      }
    },
    4 * PATIENCE_MS,
  );
});
