import { createHash } from "node:crypto";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { AccessTokens } from "../src/youtube/access-token.ts";
import { uploadFilm } from "../src/youtube/resumable-upload.ts";
import { untilQuotaReset } from "../src/youtube/youtube-error.ts";
import { idle, png, STORES, StudioServer, until } from "./harness.ts";
import { fakeYoutube, type Outside, outside } from "./outside.ts";

const opened: Outside[] = [];
const open = async <T extends Outside>(server: Promise<T>): Promise<T> => {
  const ready = await server;
  opened.push(ready);
  return ready;
};
afterEach(async () => {
  for (const server of opened.splice(0)) await server.close();
});

const withServer = async (studio: Record<string, unknown>, work: (server: StudioServer) => Promise<void>) => {
  const server = await StudioServer.start("sqlite", { app: idle(), studio });
  try {
    await work(server);
  } finally {
    await server.close();
  }
};

describe("the chat endpoint", () => {
  interface ChatAnswer {
    readonly status: number;
    readonly content: unknown;
    readonly headers?: Record<string, string>;
  }
  /** The endpoint's answers to tasks of this title, in order; the last one repeats. Status 0 cuts the connection. */
  const answers = new Map<string, ChatAnswer[]>();
  const asked: { model: string; key: string | undefined; text: string }[] = [];
  let chat: Outside;
  let server: StudioServer;
  beforeAll(async () => {
    chat = await outside((request, response, body) => {
      const { model, messages } = JSON.parse(body.toString());
      const text: string = messages.at(-1).content;
      asked.push({ model, key: request.headers.authorization, text });
      const list = answers.get(text.split("\n")[0] as string) as ChatAnswer[];
      const { status, content, headers } = (list.length > 1 ? list.shift() : list[0]) as ChatAnswer;
      if (status === 0) return response.writeHead(200).write('{"choices":[{"mess') && response.destroy();
      return response
        .writeHead(status, headers ?? {})
        .end(JSON.stringify({ choices: [{ message: { content } }] }));
    });
    const script = { endpoint: `${chat.url}/v1/chat/completions`, model: "m1", apiKey: "secret" };
    server = await StudioServer.start("sqlite", { app: idle(), studio: { script } });
  });
  afterAll(async () => {
    await server?.close();
    await chat?.close();
  });

  test("writes the scenes, after a 429 that says when to retry", async () => {
    const scenes = JSON.stringify({ scenes: [{ text: "하나" }, { text: "둘" }] });
    answers.set("제목", [
      { status: 429, content: "", headers: { "retry-after": "1" } },
      { status: 200, content: `\`\`\`json\n${scenes}\n\`\`\`` },
    ]);
    const id = await server.makeTask({ title: "제목", prompt: "설명" });
    await server.parked(id);
    const task = await server.task(id);
    expect(task.metadata.script).toEqual({ writer: "m1", scenes: [{ text: "하나" }, { text: "둘" }] });
    expect(asked).toEqual(Array(2).fill({ model: "m1", key: "Bearer secret", text: "제목\n\n설명" }));
    expect(task.retryCount).toBe(0);
    const messages = task.logs.map(({ message }: { message: string }) => message);
    expect(messages).toContain("The chat endpoint is busy: it answered 429. Next try in 1.0 s.");
  });

  test.each([
    ["no JSON", { status: 200, content: "Sorry, I cannot." }, /not JSON/],
    ["no scenes", { status: 200, content: '{"scenes":[{"text":" "}]}' }, /no scene has a text/],
    ["an error", { status: 400, content: "no" }, /answered 400/],
    ["a cut answer", { status: 0, content: "" }, /usable script/],
  ])("fails the phase on %s", async (title, answer, message) => {
    answers.set(title, [answer]);
    const id = await server.makeTask({ title });
    const task = await server.reaches(id, "script/failed");
    expect([task.errorCode, task.error]).toEqual(["SCRIPT_REFUSED", expect.stringMatching(message)]);
  });
});

describe("images of the web", () => {
  const host = () =>
    open(
      outside((request, response) => {
        if (request.url === "/a.png") return response.end(png());
        if (request.url === "/moved") return response.writeHead(302, { location: "/a.png" }).end();
        if (request.url === "/metadata")
          return response.writeHead(302, { location: "http://169.254.169.254/" }).end();
        if (request.url === "/file") return response.writeHead(302, { location: "file:///etc/passwd" }).end();
        if (request.url === "/page") return response.end("<html></html>");
        if (request.url === "/endless") return void Readable.from(endless()).pipe(response);
        if (request.url === "/cut")
          return response.writeHead(200, { "content-length": 5000 }).write(png()) && response.destroy();
        return response.writeHead(404).end();
      }),
    );
  function* endless() {
    for (let at = 0; at < 100; at++) yield Buffer.alloc(64 * 1024);
  }

  let server: StudioServer;
  beforeAll(async () => {
    const studio = { images: { allowPrivateTargets: true, largest: 1024 * 1024 } };
    server = await StudioServer.start("sqlite", { app: idle(), studio });
  });
  afterAll(() => server?.close());

  test("are fetched in the image phase", async () => {
    const { url } = await host();
    const id = await server.makeTask();
    await server.parked(id);
    const { status, body } = await server.ask("POST", `/tasks/${id}/images`, {
      body: { urls: [`${url}/a.png`, `${url}/moved`] },
    });
    expect([status, body.images.length]).toEqual([202, 2]);
    const task = await server.reaches(id, "youtube/completed");
    expect(task.images).toMatchObject(Array(2).fill({ source: "url", mimeType: "image/png" }));
    const direct = await server.makeTask({ images: [`${url}/a.png`] });
    await server.reaches(direct, "youtube/completed");
  });

  test.each([
    ["/missing", "IMAGE_UNREACHABLE", /answered 404/],
    ["/metadata", "IMAGE_UNREACHABLE", /169\.254/],
    ["/file", "IMAGE_UNREACHABLE", /file:/],
    ["/page", "TASK_IMAGE_TYPE", /not an image/],
    ["/endless", "IMAGE_UNREACHABLE", /too large/],
    ["/cut", "IMAGE_UNREACHABLE", /aborted|hang up|reset/],
  ])("%s fails the phase, and an upload takes its place", async (path, code, message) => {
    const { url } = await host();
    const id = await server.makeTask({ images: [`${url}${path}`] });
    const task = await server.reaches(id, "image/failed");
    expect([task.errorCode, task.error]).toEqual([code, expect.stringMatching(message)]);
    await server.upload(id, png());
    await server.done("POST", `/tasks/${id}/retry`);
    const done = await server.reaches(id, "youtube/completed");
    expect(done.images).toMatchObject([{ source: "upload" }]);
  });

  test("that were fetched are removed by a cancel, and are not shown", async () => {
    const { url } = await host();
    const id = await server.makeTask({ images: [`${url}/a.png`, `${url}/missing`] });
    await server.reaches(id, "image/failed");
    expect((await server.ask("GET", `/tasks/${id}/images/1`)).status).toBe(200);
    await server.done("POST", `/tasks/${id}/cancel`);
    expect((await server.refused("GET", `/tasks/${id}/images/1`)).error).toBe("TASK_IMAGE_NOT_FOUND");
    expect((await server.task(id)).images).toMatchObject(Array(2).fill({ mimeType: null, size: null }));
    await until(async () => !existsSync(join(server.data, "studio", "tasks", id)));
  });

  test("on this machine are refused unless the settings allow them", async () => {
    const { url } = await host();
    await withServer({}, async (closed) => {
      const id = await closed.makeTask({ images: [`${url}/a.png`] });
      expect((await closed.reaches(id, "image/failed")).error).toMatch(/loopback/);
      const headers = { "accept-language": "ko" };
      expect((await closed.done("GET", `/tasks/${id}`, { headers })).error).toMatch(/공개된 주소가 아니어서/);
    });
  });
});

describe("the upload to YouTube", () => {
  const film = Buffer.alloc(700_000, 7);
  const run = (youtube: Awaited<ReturnType<typeof fakeYoutube>>, session?: string, kept: string[] = []) => {
    const settings = {
      uploadUrl: `${youtube.url}/upload`,
      tokenUrl: `${youtube.url}/token`,
      clientId: "c",
      clientSecret: "s",
      refreshToken: "r",
      chunkSize: 256 * 1024,
      timeout: 10_000,
      privacy: "private" as const,
      categoryId: "22",
    };
    return uploadFilm(
      {
        title: "제목",
        description: "",
        language: "ko",
        size: film.length,
        open: async (start, end) => Readable.from([film.subarray(start, end)]),
      },
      {
        settings,
        tokens: new AccessTokens(settings, Date.now),
        signal: new AbortController().signal,
        session,
        keepSession: async (uri) => void kept.push(uri),
        onProgress: () => {},
        now: Date.now,
        firstPause: 5,
      },
    );
  };

  test.each([
    ["without trouble", [], 1],
    ["over cuts in the middle", ["none", "cut", "server-error", "cut"], 1],
    ["with a token that expired", ["expired-token"], 1],
    ["where the last answer was lost", ["none", "none", "none", "lost-answer"], 1],
    ["in a new session where the old one is gone", ["none", "none", "gone"], 2],
  ] as const)("sends every byte once %s", async (_, troubles, sessions) => {
    const youtube = await open(fakeYoutube());
    youtube.troubles.push(...troubles);
    expect(await run(youtube)).toBe("video-1");
    expect(youtube.seen.bytes.equals(film)).toBe(true);
    expect([youtube.seen.sessions, youtube.seen.title]).toEqual([sessions, "제목"]);
  });

  test("continues the session of a run that died", async () => {
    const youtube = await open(fakeYoutube());
    const kept: string[] = [];
    youtube.troubles.push("none", "none", ...Array(9).fill("server-error"));
    await expect(run(youtube, undefined, kept)).rejects.toThrow(/cut/);
    youtube.troubles.length = 0;
    expect(await run(youtube, kept[0])).toBe("video-1");
    expect(youtube.seen.sessions).toBe(1);
    expect(youtube.seen.bytes.equals(film)).toBe(true);
  });

  test("computes the quota reset as midnight in California", () => {
    const evening = Date.parse("2026-01-15T07:30:00Z");
    expect(untilQuotaReset(evening)).toBe(31 * 60_000);
  });
});

describe.each(STORES)("publication on %s", (store) => {
  test("the task waits while the quota is used up, and then uploads the film", async () => {
    const youtube = await open(fakeYoutube());
    const film = Buffer.from("film".repeat(1000));
    const sha256 = createHash("sha256").update(film).digest("hex");
    const server = await StudioServer.start(store, {
      app: {
        executors: {
          video: async ({ task }) => {
            const folder = join(server.data, "studio", "tasks", task.taskId, "made");
            mkdirSync(folder, { recursive: true });
            writeFileSync(join(folder, "film.mp4"), film);
            return { file: `tasks/${task.taskId}/made/film.mp4`, size: film.length, sha256 };
          },
        },
      },
      studio: {
        phases: ["schedule", "script", "video", "youtube"],
        youtube: {
          clientId: "c",
          clientSecret: "s",
          refreshToken: "r",
          uploadUrl: `${youtube.url}/upload`,
          tokenUrl: `${youtube.url}/token`,
        },
      },
    });
    try {
      youtube.troubles.push("quota");
      const id = await server.makeTask({ title: "<제목>" });
      await until(
        async () => youtube.seen.tokens === 1 && (await server.site.andon.job(id))?.state === "scheduled",
      );
      expect(await server.task(id)).toMatchObject({
        type: "youtube",
        status: "waiting",
        error: null,
        waitsFor: { event: "service", until: expect.any(String) },
      });
      await server.done("POST", `/admin/jobs/${id}/run-now`);
      const task = await server.reaches(id, "youtube/completed");
      expect(task.metadata.youtube).toMatchObject({ published: "youtube", videoId: "video-1" });
      expect(youtube.seen.bytes.equals(film)).toBe(true);
      expect(youtube.seen.title).toBe("제목");
    } finally {
      await server.close();
    }
  });
});
