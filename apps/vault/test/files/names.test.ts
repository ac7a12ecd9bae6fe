import { expect } from "vitest";
import { describeVault, WITHOUT_WORK } from "../harness.ts";

/** Names that would leave their folder, hide, deceive, or not be stored unchanged. */
const HOSTILE = [
  "",
  " ",
  "\u3000\u00a0",
  ".",
  "..",
  "../a",
  "a/b",
  "/etc/passwd",
  "a\\b",
  "..\\a",
  "a\u0000b",
  "a\nb",
  "a\rb",
  "a\tb",
  "a\u001bb",
  "a\u007fb",
  "a\u0085b",
  "a\u2028b",
  "a\u202egpj.exe",
  "\u200b",
  ".andon-nas",
  ".trash",
  ".TRASH",
  ".tenants",
  ".andon-1-1.part",
  "x".repeat(256),
  "가".repeat(86),
  "x".repeat(5_000),
  "a\ud800b",
  "a\ufffd.txt",
];
/** Unusual names that are allowed. */
const ODD = [
  "...",
  " a ",
  "-rf",
  "a;b|c&d",
  "%2e%2e",
  "'\"",
  "가".repeat(85),
  "👩‍👩‍👧",
  "a.",
  "CON",
  ".hidden",
  "__proto__",
];
const WINDOWS = ["a.", "a ", "CON", "nul.txt", "com1", "a:b", "a<b", 'a"b', "a|b", "a?b", "a*b"];

const quiet = { settings: WITHOUT_WORK };

/** A form of a hostile client: the file name is sent unchanged, except for characters that would end the header. */
function rawForm(name: string): { body: string; headers: Record<string, string> } {
  const escaped = name.replace(/\r/g, "%0D").replace(/\n/g, "%0A").replace(/"/g, "%22");
  const body = `--b\r\ncontent-disposition: form-data; name="file"; filename="${escaped}"\r\n\r\nx\r\n--b--\r\n`;
  return { body, headers: { "content-type": "multipart/form-data; boundary=b" } };
}

describeVault("names", (it) => {
  it("refuses hostile names wherever a name is given", quiet, async (server) => {
    const { fileId } = await server.upload({ name: "a" });
    const folderId = await server.makeFolder("f");
    expect(HOSTILE).toHaveLength(30);
    for (const name of HOSTILE) {
      const refusals = await Promise.all([
        server.refused("POST", "/folders", { body: { name } }),
        server.refused("PUT", `/folders/${folderId}/rename`, { body: { newName: name } }),
        server.refused("PUT", `/files/${fileId}/rename`, { body: { newName: name } }),
      ]);
      for (const { status, error } of refusals)
        expect([name, status, error]).toEqual([name, 400, "INVALID_NAME"]);
    }
    expect(await server.done("GET", "/folders/root")).toMatchObject({ children: { total: 2 } });
  });

  it("refuses hostile names of uploads and trims none", quiet, async (server) => {
    const sent = HOSTILE.filter((name) => name.isWellFormed() && !name.includes("\0"));
    for (const name of sent) {
      const { body, headers } = rawForm(name);
      const response = await fetch(new URL("/files/upload", server.url), {
        method: "POST",
        headers: { ...headers, authorization: `Bearer ${server.adminToken}` },
        body,
      });
      const { error } = (await response.json()) as { error: string };
      const expected = name === "" ? ["UPLOAD_INCOMPLETE", "INVALID_NAME"] : ["INVALID_NAME"];
      expect([name, response.status]).toEqual([name, 400]);
      expect(expected).toContain(error);
    }
    expect(await server.rows("select id from files")).toEqual([]);
  });

  it("decodes what forms escape in a file's name, and nothing else", quiet, async (server) => {
    for (const [sent, name] of [
      ['a "b".txt', 'a "b".txt'],
      ["100%22.txt", '100".txt'],
      ["%2e%2E%0a%0d%20%25.txt", "%2e%2E%0a%0d%20%25.txt"],
    ] as const) {
      const { fileId } = await server.upload({ name: sent });
      expect(await server.done("GET", `/files/${fileId}`)).toMatchObject({ name });
    }
    const { status, body } = await server.uploadReply({ name: "a\nb" });
    expect([status, body.error]).toEqual([400, "INVALID_NAME"]);
  });

  it("refuses a name that is not valid text, and gives that reason", quiet, async (server) => {
    const [before, after] = rawForm("?.txt").body.split("?");
    const body = Buffer.concat([
      Buffer.from(before as string),
      Buffer.from([0xff]),
      Buffer.from(after as string),
    ]);
    const response = await fetch(new URL("/files/upload", server.url), {
      method: "POST",
      headers: { ...rawForm("").headers, authorization: `Bearer ${server.adminToken}` },
      body,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: "INVALID_NAME",
      details: { problem: "텍스트로 읽을 수 없는 바이트를 뜻하는 U+FFFD가 있습니다" },
    });
    expect(await server.rows("select id from files")).toEqual([]);
  });

  it("shows only the beginning of a very long name", quiet, async (server) => {
    const { details } = await server.refused("POST", "/folders", { body: { name: "x".repeat(100_000) } });
    expect((details as { name: string }).name).toBe(`${"x".repeat(255)}…`);
  });

  it("stores unusual names unchanged", quiet, async (server) => {
    for (const name of ODD) {
      const { id } = await server.done("POST", "/folders", { body: { name } });
      expect(await server.done("GET", `/folders/${id}`)).toMatchObject({ name, path: `/${name}` });
    }
  });

  it("refuses what Windows refuses if that is set", {
    ...quiet,
    vault: { windowsNames: true },
  }, async (server) => {
    for (const name of WINDOWS) {
      const { error } = await server.refused("POST", "/folders", { body: { name } });
      expect([name, error]).toEqual([name, "INVALID_NAME"]);
    }
  });

  it("gives one name only once, composed or not, to files and folders together", quiet, async (server) => {
    await server.upload({ name: "caf\u00e9" });
    const { error } = await server.refused("POST", "/folders", { body: { name: "cafe\u0301" } });
    expect(error).toBe("NAME_TAKEN");
    await server.makeFolder("Caf\u00e9");
    const hangul = await server.upload({ name: "한글".normalize("NFD") });
    expect(hangul.name).toBe("한글".normalize("NFC"));
  });

  it("compares without regard to case if the NAS does", {
    ...quiet,
    vault: { caseInsensitive: true },
  }, async (server) => {
    const { fileId } = await server.upload({ name: "Report.TXT" });
    const { error } = await server.refused("POST", "/folders", { body: { name: "report.txt" } });
    expect(error).toBe("NAME_TAKEN");
    const renamed = await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "REPORT.txt" } });
    expect(renamed.name).toBe("REPORT.txt");
  });
});
