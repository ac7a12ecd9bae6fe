import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { Language } from "@andon/contract";
import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { Failure } from "../terminal/failures.ts";
import { ownPackages } from "../terminal/own-packages.ts";

const TEMPLATES = new URL("../../templates/", import.meta.url);

/** The template of each file. */
const FILES: Readonly<Record<string, string | ((language: Language) => string)>> = {
  "package.json": "package.json",
  "andon.config.ts": "andon.config.ts",
  "queues/greetings.ts": "greetings.ts",
  "handlers/greet.ts": "greet.ts",
  "test/greet.test.ts": "greet.test.ts",
  "README.md": (language) => `README.${language}.md`,
  ".gitignore": "gitignore",
};

export const init = command({
  name: "init",
  says: {
    en: "Writes a project to start from: a queue, its handler and a test; overwrites nothing",
    ko: "큐, 핸들러, 테스트가 있는 시작용 프로젝트를 만듭니다. 기존 파일은 덮어쓰지 않습니다",
  },
  example: "andon init my-queues",
  given: {
    folder: {
      says: { en: "the folder to write to. Default: the current one", ko: "만들 폴더. 기본값: 현재 폴더" },
      optional: true,
    },
  },
  async run({ given, shell, out, language }) {
    const folder = resolve(shell.folder, given.folder ?? ".");
    await refuseExisting(folder);
    await makeFolder(folder);
    const facts = { name: packageName(folder), ...(await ownPackages()) };
    for (const [file, template] of Object.entries(FILES)) {
      const name = typeof template === "string" ? template : template(language);
      const text = await readFile(new URL(`${name}.template`, TEMPLATES), "utf8");
      const path = join(folder, file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, filled(text, facts), { flag: "wx" });
    }
    const at = relative(shell.folder, folder);
    const next = [`${at ? `cd ${at} && ` : ""}npm install`, "npm test", "npx andon start"];
    out.answer({ folder, files: Object.keys(FILES), next }, () =>
      [out.say(WORDS.initDone, { folder }), ...next.map((line) => `  ${line}`)].join("\n"),
    );
    return undefined;
  },
});

/** Checks every file before the first is written, so that a refusal leaves nothing behind. */
async function refuseExisting(folder: string): Promise<void> {
  for (const file of Object.keys(FILES)) {
    const path = join(folder, file);
    const isThere = await stat(path).then(
      () => true,
      () => false,
    );
    if (isThere) throw new Failure(EXIT.refused, WORDS.fileExists, { file: path });
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EEXIST" && code !== "ENOTDIR") throw error;
    throw new Failure(EXIT.refused, WORDS.notAFolder, { folder });
  }
}

/** A valid name of an npm package. */
function packageName(folder: string): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+|-+$/g, "");
  return name || "my-queues";
}

function filled(text: string, facts: Readonly<Record<string, string>>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => facts[name] ?? whole);
}
