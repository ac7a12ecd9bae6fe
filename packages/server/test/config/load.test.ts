import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSettings } from "../../src/config/load.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "andon-config-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
const load = (env: NodeJS.ProcessEnv = {}) => loadSettings(env, folder);

test("a folder without a file gives the defaults", async () => {
  expect((await load()).port).toBe(8400);
});

test.each([
  ["andon.config.ts", "const port: number = 9001; export default { port } satisfies { port: number };"],
  ["andon.config.js", "module.exports = { port: 9001 };"],
  ["andon.config.mjs", "export default { port: 9001 };"],
  ["andon.config.json", '{ "port": 9001 }'],
])("%s is found and read", async (name, text) => {
  write(name, text);
  expect((await load()).port).toBe(9001);
});

test.each([
  ["andon.config.ts", "export default {};"],
  ["andon.config.js", "module.exports = {};"],
  ["andon.config.json", "{}"],
])("%s may say that nothing is set", async (name, text) => {
  write(name, text);
  expect((await load()).port).toBe(8400);
});

test("a TypeScript file may import others and export a function", async () => {
  write("ports.ts", "export interface Ports { port: number }\nexport const ports: Ports = { port: 9002 };");
  write(
    "andon.config.ts",
    'import { type Ports, ports } from "./ports.ts";\nexport default async (): Promise<Ports> => ports;',
  );
  expect((await load()).port).toBe(9002);
});

test("ANDON_CONFIG names another file, and the environment overrides it", async () => {
  write("andon.config.json", '{ "port": 1 }');
  write("other.json", '{ "port": 9003, "host": "0.0.0.0" }');
  const settings = await load({ ANDON_CONFIG: "other.json", ANDON_HOST: "127.0.0.2" });
  expect([settings.port, settings.host]).toEqual([9003, "127.0.0.2"]);
});

test.each<[string, Record<string, string>, NodeJS.ProcessEnv, RegExp]>([
  [
    "a file that is not there",
    {},
    { ANDON_CONFIG: "no.ts" },
    /^environment: ANDON_CONFIG names .*no\.ts, which does not exist$/,
  ],
  [
    "a file that throws",
    { "andon.config.ts": 'throw new TypeError("boom")' },
    {},
    /^andon\.config\.ts: could not be read: TypeError: boom$/,
  ],
  [
    "a function that throws",
    { "andon.config.mjs": 'export default () => { throw new Error("no vault") }' },
    {},
    /^andon\.config\.mjs: could not be read: Error: no vault$/,
  ],
  [
    "a file that is not JSON",
    { "andon.config.json": "{ port: 1 }" },
    {},
    /^andon\.config\.json: could not be read: SyntaxError: /,
  ],
  [
    "a file that cannot be parsed",
    { "andon.config.ts": "export default {" },
    {},
    /^andon\.config\.ts: could not be read: /,
  ],
  [
    "a file without a default export",
    { "andon.config.json": "5" },
    {},
    /^andon\.config\.json: does not give an object/,
  ],
  ...Object.entries({
    "a function that forgets to return": { "andon.config.ts": "export default () => { ({ port: 1 }); };" },
    "an empty file of TypeScript": { "andon.config.ts": "" },
    "an empty file of JavaScript": { "andon.config.js": "\n" },
    "an empty module": { "andon.config.mjs": "" },
    "a file that exports nothing": { "andon.config.ts": "const settings = { port: 1 };" },
    "a default export that is null": { "andon.config.ts": "export default null;" },
    "a module whose default export is null": { "andon.config.mjs": "export default null;" },
    "a CommonJS export that is null": { "andon.config.js": "module.exports = null;" },
    "JSON that is null": { "andon.config.json": "null" },
    "JSON that is a list": { "andon.config.json": "[]" },
  }).map(([what, files]): [string, Record<string, string>, NodeJS.ProcessEnv, RegExp] => [
    what,
    files,
    {},
    /^andon\.config\.\w+: does not give an object: export the settings as default/,
  ]),
  [
    "two files",
    { "andon.config.ts": "", "andon.config.json": "{}" },
    {},
    /: holds andon\.config\.ts, andon\.config\.json: keep one of them/,
  ],
  [
    "a bad value",
    { "andon.config.ts": "export default { port: -1 }" },
    {},
    /^andon\.config\.ts: port is -1; allowed: at least 0$/,
  ],
])("%s is told by name, in one line", async (_what, files, env, expected) => {
  for (const [name, text] of Object.entries(files)) write(name, text);
  await expect(load(env)).rejects.toMatchObject({
    name: "SettingsError",
    message: expect.stringMatching(expected),
  });
});
