import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const PACKED = ["contract", "engine", "store", "andon"];
/** Without the settings of this test run: they would let a program read our sources instead of what was packed. */
const env = { PATH: process.env.PATH, HOME: process.env.HOME };

const folder = mkdtempSync(join(tmpdir(), "andon-packed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", env });
  expect(status, stderr).toBe(0);
  return stdout;
}

/** Unpacks a tarball to where an install would put it; returns the names of its dependencies. */
function unpack(tarball: string): string[] {
  const manifest = JSON.parse(run("tar", ["-xOf", tarball, "package/package.json"], folder));
  const target = join(folder, "node_modules", manifest.name);
  mkdirSync(target, { recursive: true });
  run("tar", ["-xf", tarball, "--strip-components=1", "-C", target], folder);
  return Object.keys(manifest.dependencies ?? {});
}

beforeAll(() => {
  run(process.execPath, [TSC, "-b", "packages/andon"], ROOT);
  const where = PACKED.flatMap((name) => ["-w", `packages/${name}`]);
  const args = ["pack", "--ignore-scripts", "--offline", "--json", "--pack-destination", folder, ...where];
  const packed: { filename: string }[] = JSON.parse(run("npm", args, ROOT));
  const needed = new Set(packed.flatMap(({ filename }) => unpack(filename)));
  const theirs = [...needed].filter((name) => !name.startsWith("@andon/"));
  for (const name of theirs) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(ROOT, "node_modules", name), link, "dir");
  }
}, 120_000);

const PROGRAM = `
import { open } from "andon";
const andon = await open("sqlite::memory:");
const mails = andon.queue("mails");
await mails.work(({ payload }) => "sent to " + payload.to);
const { id } = await mails.add({ to: "kim" });
await mails.drained();
console.log((await andon.job(id)).result);
await andon.close();
`;

test("the packed library opens a store, and adds and runs a job", { timeout: 60_000 }, () => {
  writeFileSync(join(folder, "program.mjs"), PROGRAM);
  expect(run(process.execPath, ["program.mjs"], folder)).toBe("sent to kim\n");
});

test("every package is packed with its README and the license, and without the compiler's build info", () => {
  const folders = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
  );
  const isPublished = (of: string) =>
    !JSON.parse(readFileSync(join(ROOT, of, "package.json"), "utf8")).private;
  const published = folders.filter((of) => existsSync(join(ROOT, of, "package.json")) && isPublished(of));
  const args = ["pack", "--dry-run", "--ignore-scripts", "--offline", "--json"];
  const packed: { name: string; files: { path: string }[] }[] = JSON.parse(
    run("npm", [...args, ...published.flatMap((of) => ["-w", of])], ROOT),
  );
  expect(packed.length).toBe(published.length);
  for (const { name, files } of packed) {
    const paths = files.map(({ path }) => path);
    expect(paths, name).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json"]));
    expect(
      paths.filter((path) => path.endsWith(".tsbuildinfo")),
      name,
    ).toEqual([]);
  }
  const license = (of: string) => readFileSync(join(ROOT, of, "LICENSE"), "utf8");
  for (const of of published) expect(license(of), of).toBe(license("."));
});

test("a package that has migrations packs them", () => {
  for (const of of ["packages/store", "packages/server", "apps/vault"])
    expect(JSON.parse(readFileSync(join(ROOT, of, "package.json"), "utf8")).files, of).toContain(
      "migrations",
    );
});
