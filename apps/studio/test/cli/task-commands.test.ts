import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { andon, beginAndon, temporaryFolder } from "@andon/cli/testing";
import { ensureFilmPrograms } from "@andon/testkit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idle, png, STORES, StudioServer, until } from "../harness.ts";

describe.each(STORES)("andon task on %s", (store) => {
  let server: StudioServer;
  const folder = temporaryFolder();
  const video = { mood: "work" as "work" | "fail" | "done" };

  beforeAll(async () => {
    const app = idle({
      video: async ({ signal, progress }) => {
        progress(0.5);
        while (video.mood === "work") {
          await new Promise((resolve) => setTimeout(resolve, 20));
          signal.throwIfAborted();
        }
        if (video.mood === "fail") throw new Error("no space left");
        return {};
      },
    });
    server = await StudioServer.start(store, { app, studio: { maxRetries: 1 } });
  }, 60_000);
  afterAll(async () => {
    await server?.close();
    folder.remove();
  });

  const env = (more: Record<string, string> = {}) => ({
    ANDON_URL: server.url,
    ANDON_TOKEN: server.adminToken,
    LANG: "en",
    ...more,
  });
  const task = (...words: string[]) => andon(["task", ...words], { env: env(), folder: folder.path });
  const asJson = async (...words: string[]) => {
    const { code, stdout, stderr } = await task(...words, "--json");
    expect([code, stderr]).toEqual([0, ""]);
    return JSON.parse(stdout);
  };
  const add = async (...words: string[]): Promise<string> => (await asJson("add", ...words)).taskId;

  test("add accepts every field of the API", async () => {
    writeFileSync(join(folder.path, "script.txt"), "One.\n\nTwo.\n");
    const at = "2030-04-01T09:00:00.000Z";
    const id = await add(
      ...["Spring in Seoul", "--prompt", "Flowers.", "--script", "script.txt", "--at", at],
      ...["--priority=-5", "--images", "titles", "--language", "ko", "--speech", "--user", "mina"],
    );
    expect(await server.task(id)).toMatchObject({
      title: "Spring in Seoul",
      prompt: "Flowers.",
      scheduledTime: at,
      priority: -5,
      imageSource: "titles",
      language: "ko",
      speech: true,
      userId: "mina",
      type: "schedule",
      status: "waiting",
    });
    const urls = "https://example.com/a,b.png,https://example.com/c.png";
    const fetched = await add("Fetched", "--urls", urls, "--at", at);
    expect((await server.task(fetched)).images.map(({ url }: { url: string }) => url)).toEqual([
      "https://example.com/a,b.png",
      "https://example.com/c.png",
    ]);
    const said = await task("add", "By people", "--at", at);
    expect(said.stdout).toMatch(/is schedule\/waiting\.\n.*andon task watch/);
    expect((await task("add", " ")).code).toBe(2);
    expect((await task("add", "x", "--script", "none.txt")).stderr).toContain("none.txt");
    expect((await task("list", "--tab", "scheduled")).stdout).toContain("Spring in Seoul");
    expect((await asJson("counts")).scheduled).toBe(3);
    const refused = await task("list", "--tab", "nonsense");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("VALIDATION_FAILED")]);
  });

  test("images are uploaded or fetched by the server, and a file that is not an image changes nothing", async () => {
    const id = await add("Pictures");
    await server.parked(id);
    writeFileSync(join(folder.path, "one.png"), png());
    writeFileSync(join(folder.path, "notes.png"), "no image");
    expect((await task("show", id)).stdout).toContain("images, until");
    const refused = await task("images", id, "one.png", "notes.png");
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("TASK_IMAGE_TYPE")]);
    expect((await server.task(id)).images).toEqual([]);
    expect((await task("images", id, "none.png")).stderr).toContain("ENOENT");
    expect((await task("images", id, "one.png", "https://example.com/a.png")).code).toBe(2);
    video.mood = "work";
    expect((await task("images", id, "one.png", "one.png")).stdout).toContain(
      "2 added: the task has 2 images",
    );
    await server.reaches(id, "video/processing");
    const late = await task("images", id, "one.png");
    expect([late.code, late.stderr]).toEqual([6, expect.stringContaining("TASK_STATE")]);
    expect((await task("cancel", id, "--reason", "enough")).stdout).toContain("video/cancelled");
    const later = await add("Later", "--at", "2030-01-01T00:00:00Z");
    const added = await asJson("images", later, "https://example.com/a.png");
    expect(added.images).toMatchObject([{ number: 1, source: "url", mimeType: null }]);
  });

  test("watch shows each phase and exits with 1 after a failure; then retry, forced retry and delete", async () => {
    video.mood = "work";
    const id = await add("Watched", "--images", "titles");
    await server.reaches(id, "video/processing");
    const watching = beginAndon(["task", "watch", id], { env: env(), terminal: 100 });
    await until(async () => watching.stderr().includes("50 %"));
    expect(watching.stderr()).toMatch(/✓ script {2}/);
    expect(watching.stderr()).toMatch(/▶ video .*█{12}░{12} 50 %/);
    video.mood = "fail";
    expect(await watching.ended).toMatchObject({ code: 1, stdout: expect.stringContaining("no space left") });

    expect(await asJson("retry", id)).toMatchObject({ taskId: id, retryCount: 1 });
    await server.reaches(id, "video/failed");
    const refused = await task("retry", id);
    expect([refused.code, refused.stderr]).toEqual([6, expect.stringMatching(/TASK_RETRIES[\s\S]*--force/)]);
    video.mood = "done";
    // The phase ends at once, so the answer may already show the next phase with retry 0.
    expect((await task("retry", id, "--force")).stdout).toMatch(
      / is (video\/\w+, retry 2|youtube\/\w+, retry 0)\./,
    );
    expect((await task("watch", id)).code).toBe(0);
    expect((await task("show", id)).stdout).toMatch(/youtube +completed/);

    expect((await task("delete", id)).code).toBe(2);
    const asked = { env: env(), terminal: 100 };
    expect((await andon(["task", "delete", id], { ...asked, input: "n\n" })).code).toBe(1);
    expect((await andon(["task", "delete", id], { ...asked, input: "y\n" })).stdout).toContain("is deleted");
    const gone = await task("show", id);
    expect([gone.code, gone.stderr]).toEqual([
      5,
      expect.stringMatching(/TASK_NOT_FOUND[\s\S]*andon task list/),
    ]);
  }, 60_000);

  test("watch says that the task goes on when it is interrupted", async () => {
    const id = await add("Goes on", "--at", "2030-01-01T00:00:00Z");
    const press = new AbortController();
    const watching = beginAndon(["task", "watch", id], {
      env: env(),
      terminal: 100,
      interrupt: press.signal,
    });
    await until(async () => watching.stderr().includes("schedule"));
    press.abort();
    const { code, stderr } = await watching.ended;
    expect([code, stderr]).toEqual([130, expect.stringContaining("The task goes on at the server.")]);
  });

  test("every command has help in both languages", async () => {
    for (const name of ["add", "list", "show", "retry", "cancel", "images", "watch", "delete"]) {
      const { code, stdout } = await andon(["task", name, "--help"], { env: { LANG: "ko_KR.UTF-8" } });
      expect([code, stdout]).toEqual([0, expect.stringMatching(/[가-힣]/)]);
      expect((await task(name, "--help")).stdout).toContain(`andon task ${name}`);
    }
  });
});

describe("andon doctor about films", () => {
  const look = async (settings: object, env: Record<string, string> = {}) => {
    const folder = temporaryFolder();
    try {
      writeFileSync(join(folder.path, "andon.config.json"), JSON.stringify({ port: 0, ...settings }));
      const { stdout } = await andon(["doctor"], { folder: folder.path, env: { LANG: "en", ...env } });
      return stdout;
    } finally {
      folder.remove();
    }
  };

  test.skipIf(!ensureFilmPrograms())("finds ffmpeg, ffprobe, espeak-ng and the font", async () => {
    const said = await look({});
    expect(said).toMatch(/ffmpeg works: ffmpeg version/);
    expect(said).toMatch(/ffprobe works: ffprobe version/);
    expect(said).toMatch(/espeak-ng works: eSpeak/);
    expect(said).toContain("Font for subtitles: Noto Sans CJK KR");
  });

  test("says how to install what is missing", async () => {
    const none = { ffmpeg: "/nowhere/ffmpeg", ffprobe: "/nowhere/ffprobe", espeak: "/nowhere/espeak" };
    const said = await look({ studio: { video: { ...none, font: "No Such Font" } } });
    expect(said).toContain("/nowhere/ffmpeg is missing: films cannot be rendered");
    expect(said).toContain("apt-get install ffmpeg");
    expect(said).toContain("studio.video.ffmpeg");
    expect(said).toContain("/nowhere/ffprobe is missing");
    expect(said).toContain("/nowhere/espeak is missing: tasks with speech fail");
    expect(said).toContain('The font "No Such Font" is not installed');
    expect(await look({ studio: false })).not.toContain("ffmpeg");
  });
});
