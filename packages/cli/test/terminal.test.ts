import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { widthOf } from "../src/terminal/width.ts";
import { andon, beginAndon, startTestServer, type TestServer, until } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer("sqlite", { queues: { later: {}, "after-that": {} } });
  const key = "아주 긴 레인 키 ".repeat(20).trim();
  for (let n = 0; n < 3; n++)
    await server.client.queues.add({ queue: "later", payload: { n }, key, delay: n ? "1h" : 0 });
  await server.client.queues.pause({ queue: "later", reason: "NAS 점검 ".repeat(30).trim() });
});
afterAll(() => server.close());

// biome-ignore lint/suspicious/noControlCharactersInRegex: the escapes of colours begin with one.
const COLOURS = /\x1b\[\d+m/;

test("a terminal gets colours; a file, NO_COLOR and --no-color do not", async () => {
  const { env } = server;
  expect((await andon(["queues"], { env, terminal: 120 })).stdout).toMatch(COLOURS);
  expect((await andon(["queues"], { env })).stdout).not.toMatch(COLOURS);
  expect((await andon(["queues", "--no-color"], { env, terminal: 120 })).stdout).not.toMatch(COLOURS);
  expect((await andon(["queues"], { env: { ...env, NO_COLOR: "1" }, terminal: 120 })).stdout).not.toMatch(
    COLOURS,
  );
  expect((await andon(["faild"], { terminal: 120 })).stderr).toMatch(COLOURS);
  expect((await andon(["faild", "--no-color"], { terminal: 120 })).stderr).not.toMatch(COLOURS);
});

test.each([60, 80, 120])("no line is wider than a terminal of %i columns", async (terminal) => {
  for (const args of [["jobs"], ["queues"], ["lanes", "later"], ["stops", "later"], ["audit"]]) {
    const { stdout } = await andon([...args, "--lang", "ko"], { env: server.env, terminal });
    for (const line of stdout.split("\n")) expect(widthOf(line), line).toBeLessThanOrEqual(terminal);
  }
});

test("output to a file is not cut", async () => {
  expect((await andon(["jobs"], { env: server.env })).stdout).toContain("아주 긴 레인 키 ".repeat(20).trim());
});

test("a list with other pages says so", async () => {
  const { stdout } = await andon(["jobs", "--limit", "2", "--queue", "later"], { env: server.env });
  expect(stdout).toContain("Page 1: 2 of 3.");
  expect((await andon(["jobs", "--queue", "after-that"], { env: server.env })).stdout).toBe("Nothing.\n");
});

test("many decisions show their progress, on a terminal only", async () => {
  const tickets: string[] = [];
  for (let n = 0; n < 4; n++)
    tickets.push((await server.client.queues.add({ queue: "after-that", payload: {} })).ticket);
  const [first = "", second = "", ...rest] = tickets;
  const shown = await andon(["cancel", first, second], { env: server.env, terminal: 80 });
  expect(shown.stderr).toContain("░ 1/2");
  expect(shown.stderr).toContain("█ 2/2");
  expect(shown.stdout).not.toContain("█");
  const quiet = await andon(["cancel", ...rest], { env: server.env });
  expect(quiet).toMatchObject({ code: 0, stderr: "" });
});

test("the board draws the queues again when something happens, and leaves the screen as it was", async () => {
  const interrupt = new AbortController();
  const board = beginAndon(["watch", "--board"], {
    env: server.env,
    terminal: 120,
    interrupt: interrupt.signal,
  });
  await until(async () => board.stdout().includes("after-that"));
  expect(board.stdout()).not.toMatch(/after-that +\S*Paused/);
  await server.client.queues.pause({ queue: "after-that", reason: "look" });
  await until(async () => /after-that.*Paused by hand.*look/.test(board.stdout()));
  interrupt.abort();
  const { code, stdout } = await board.ended;
  expect(code).toBe(130);
  expect(stdout.startsWith("\u001b[?1049h")).toBe(true);
  expect(stdout.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
});

test("top shows all queues with graphs, opens one with a key, and leaves the screen as it was", async () => {
  const keys = new PassThrough();
  const screen = beginAndon(["top"], { env: server.env, terminal: 200, keys });
  await until(async () => /▶ \S+.*[▁▂▃▄▅▆▇█]{30}/.test(screen.stdout()));
  expect(screen.stdout()).toContain("q quit");
  keys.write("j");
  await until(async () => screen.stdout().includes("▶ later"));
  const before = screen.stdout().length;
  keys.write("\r");
  await until(async () => screen.stdout().slice(before).includes("Done, 30 min  "));
  const opened = screen.stdout().length;
  // Going back selects the row that was opened.
  keys.write("\u007f");
  await until(async () => screen.stdout().slice(opened).includes("▶ later"));
  keys.write("q");
  const { code, stdout } = await screen.ended;
  expect(code).toBe(0);
  expect(stdout.endsWith("\u001b[?25h\u001b[?1049l")).toBe(true);
  expect((await andon(["top"], { env: server.env })).code).toBe(2);
});

test("a terminal that does not report its width gets uncut lines", async () => {
  const { stdout } = await andon(["jobs", "--no-color"], { env: server.env, terminal: 0 });
  expect(stdout).toContain("아주 긴 레인 키 ".repeat(20).trim());
});

test("decisions made before the connection broke are printed", async () => {
  const { ticket } = await server.client.queues.add({ queue: "after-that", payload: {} });
  let calls = 0;
  const proxy = createServer(async (request, response) => {
    if (++calls > 1) return void request.socket.destroy();
    const answer = await fetch(new URL(request.url ?? "", server.url), {
      method: request.method ?? "POST",
      headers: { authorization: request.headers.authorization ?? "" },
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const ran = await andon(["cancel", ticket, "999"], { env: { ...server.env, ANDON_URL: url } });
  proxy.close();
  expect(ran.code).toBe(3);
  expect(ran.stdout).toContain(`${ticket}  cancelled`);
});
