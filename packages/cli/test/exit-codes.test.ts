import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EXIT } from "../src/terminal/exit-codes.ts";
import { describeError } from "../src/terminal/failures.ts";
import { andon, andonProcess, startTestServer, type TestServer, temporaryFolder } from "./harness.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer("sqlite", { queues: { later: {} } });
});
afterAll(() => server.close());

describe("a process ends with the exit code of what happened", () => {
  test("0: the command succeeded", async () => {
    expect(await andonProcess(["queues"], { env: server.env })).toMatchObject({ code: 0, stderr: "" });
  });

  test("1: the server refused it", async () => {
    const { code, stdout, stderr } = await andonProcess(["skip", "1", "--reason", " "], { env: server.env });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^Error: .*reason.*\[VALIDATION_FAILED\]\n/);
  });

  test("2: the command line is invalid", async () => {
    expect(await andonProcess(["statuss"])).toMatchObject({ code: 2, stdout: "" });
  });

  test("3: no server answers", async () => {
    const { code, stderr } = await andonProcess(["queues"], {
      env: { ...server.env, ANDON_URL: "http://127.0.0.1:1" },
    });
    expect(code).toBe(3);
    expect(stderr).toContain("No server answers at http://127.0.0.1:1");
    expect(stderr).toContain("andon start");
  });

  test("4: the key is not valid", async () => {
    const { code, stderr } = await andonProcess(["queues"], {
      env: { ...server.env, ANDON_TOKEN: "secret-token-x" },
    });
    expect(code).toBe(4);
    expect(stderr).toContain("[UNAUTHENTICATED]");
    expect(stderr).not.toContain("secret-token-x");
  });

  test("5: the queue does not exist", async () => {
    const { code, stderr } = await andonProcess(["status", "nowhere"], { env: server.env });
    expect(code).toBe(5);
    expect(stderr).toBe(
      'Error: There is no queue "nowhere". [QUEUE_NOT_FOUND]\nList the queues: andon queues\n',
    );
  });

  test("5: watch ends at once for a queue that does not exist", async () => {
    const { code, stderr } = await andon(["watch", "nowhere"], { env: server.env });
    expect(code).toBe(5);
    expect(stderr).toContain("[QUEUE_NOT_FOUND]");
  });

  test("6: the state of the job does not allow the action", async () => {
    const { ticket } = await server.client.queues.add({ queue: "later", payload: {} });
    const { code, stderr } = await andonProcess(["retry", ticket, "--lang", "ko"], { env: server.env });
    expect(code).toBe(6);
    expect(stderr).toMatch(/^오류: 작업 .* 상태는 ready입니다.*\[JOB_STATE\]\n지금 할 수 있는 일/);
  });
});

describe("a server that cannot start", () => {
  async function start(env: Record<string, string>) {
    const folder = temporaryFolder();
    const ran = await andonProcess(["start"], {
      env: { ANDON_DATA: folder.path, ...env },
      folder: folder.path,
    });
    folder.remove();
    return ran;
  }

  test("78: its settings cannot be used", async () => {
    const { code, stderr } = await start({ ANDON_PORT: "80a" });
    expect({ code, stderr }).toEqual({
      code: 78,
      stderr: 'Error: The settings cannot be used:\nenvironment: ANDON_PORT is "80a"; allowed: a number\n',
    });
  });

  test("1: its port is in use, and the error names the port and how to set another", async () => {
    const { port } = new URL(server.url);
    const { code, stderr } = await start({ ANDON_PORT: port });
    expect(code).toBe(1);
    expect(stderr).toContain(
      `Error: Port ${port} of 127.0.0.1 is in use: set ANDON_PORT (or \`port\`) to another one. [PORT_TAKEN]`,
    );
  });
});

describe("not allowed", () => {
  test("a key without the permission ends with 4 and names the permission", async () => {
    const { token } = await server.client.keys.create({ name: "reader", permissions: ["queue.read"] });
    const { code, stderr } = await andon(["pause", "later", "--token", token], { env: server.env });
    expect(code).toBe(4);
    expect(stderr).toContain("queue.operate. [FORBIDDEN]");
    expect(stderr).not.toContain(token);
  });

  test("no key at all ends with 4 and says the three ways to give one", async () => {
    const folder = temporaryFolder();
    const { code, stderr } = await andon(["queues"], { env: { ANDON_URL: server.url }, folder: folder.path });
    folder.remove();
    expect(code).toBe(4);
    for (const way of ["--token", "ANDON_TOKEN", join("data", "admin.key")]) expect(stderr).toContain(way);
  });
});

describe("the key of the data folder", () => {
  function withKey(data: string, token: string): { path: string; remove(): void } {
    const folder = temporaryFolder();
    mkdirSync(join(folder.path, data));
    writeFileSync(join(folder.path, data, "admin.key"), `${token}\n`, { mode: 0o600 });
    return folder;
  }

  test("is used for a server on this machine, from ./data or ANDON_DATA", async () => {
    for (const [data, env] of [
      ["data", {}],
      ["kept", { ANDON_DATA: "kept" }],
    ] as const) {
      const folder = withKey(data, server.token);
      const ran = await andon(["queues"], { env: { ANDON_URL: server.url, ...env }, folder: folder.path });
      folder.remove();
      expect(ran).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("is never sent to another machine", async () => {
    const folder = withKey("data", server.token);
    const ran = await andon(["queues", "--url", "http://andon.invalid"], { folder: folder.path });
    folder.remove();
    expect(ran.code).toBe(4);
    expect(ran.stderr).toContain("No key for http://andon.invalid");
  });

  test.skipIf(process.getuid?.() === 0)(
    "is reported if it cannot be read (skipped for root, who can read every file)",
    async () => {
      const folder = withKey("data", server.token);
      chmodSync(join(folder.path, "data", "admin.key"), 0);
      const ran = await andon(["queues"], { env: { ANDON_URL: server.url }, folder: folder.path });
      folder.remove();
      expect(ran).toMatchObject({ code: 4 });
      expect(ran.stderr).toContain("EACCES");
    },
  );
});

test("an option wins over the environment", async () => {
  const env = { ANDON_URL: "http://127.0.0.1:1", ANDON_TOKEN: "wrong" };
  const ran = await andon(["queues", "--url", server.url, "--token", server.token], { env });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
});

test("a server other than Andon at the address counts as unreachable", async () => {
  const other = createServer((_, response) =>
    response.writeHead(404, { "content-type": "text/html" }).end("<h1>no</h1>"),
  );
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  const ran = await andon(["queues"], { env: { ANDON_URL: url, ANDON_TOKEN: "t" } });
  other.close();
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain(`What answers at ${url} is not Andon (status 404).`);
});

test("an answer that Ctrl-C breaks off counts as an interruption", async () => {
  const aborter = new AbortController();
  const answer = await fetch(`${server.url}/events`, {
    headers: { authorization: `Bearer ${server.token}` },
    signal: aborter.signal,
  });
  const read = answer.text().catch((error: unknown) => error);
  aborter.abort();
  expect(describeError(await read, "en", "").exitCode).toBe(EXIT.interrupted);
});
