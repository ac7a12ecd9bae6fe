// Makes the fonts of the console from Pretendard and JetBrains Mono: `npm run fonts -w packages/console`. Run it when the console's
// Korean words use letters that the first slice lacks, and commit the result. It installs its packages into a separate folder,
// because Pretendard is 72 MB and nothing else needs it.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { withNames } from "./font-names.mjs";

const PACKAGES = ["pretendard@1.3.9", "@fontsource-variable/jetbrains-mono@5.2.8", "subset-font@2.9.0"];
/** A subset must not carry the reserved name of its original. */
const SANS = "Andon Sans";
const MONO = "Andon Mono";
const COPYRIGHT = {
  [SANS]: "Copyright (c) 2021 Kil Hyung-jin (https://github.com/orioncactus/pretendard)",
  [MONO]: "Copyright 2020 The JetBrains Mono Project Authors (https://github.com/JetBrains/JetBrainsMono)",
};
const namesOf = (family) => ({
  0: COPYRIGHT[family],
  1: family,
  2: "Regular",
  4: family,
  6: family.replace(" ", ""),
  13: "SIL Open Font License, Version 1.1",
  14: "https://scripts.sil.org/OFL",
});
const AXES = { wght: { min: 400, max: 700 } };
const SLICE = { common: 256, rare: 1_104 };

const root = fileURLToPath(new URL("../../..", import.meta.url));
const src = join(root, "packages/console/src");
const out = join(src, "fonts");
const work = mkdtempSync(join(tmpdir(), "andon-fonts-"));
execFileSync("npm", ["install", "--prefix", work, "--no-audit", "--no-fund", ...PACKAGES], {
  stdio: "inherit",
});
const pretendard = join(work, "node_modules/pretendard/dist");
const jetBrains = join(work, "node_modules/@fontsource-variable/jetbrains-mono");
const required = createRequire(join(work, "package.json"));
const subsetFont = required("subset-font");
const { convert } = required("fontverter");
const originals = {
  [SANS]: readFileSync(join(pretendard, "public/variable/PretendardVariable.ttf")),
  [MONO]: readFileSync(join(jetBrains, "files/jetbrains-mono-latin-wght-normal.woff2")),
};

const range = (from, to) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index));
const hangul = range(0xac00, 0xd7a3);
/** The characters of every page, loaded at once. */
const latin = [...range(0x20, 0x7e), ..."\u00a0·×±°–—‘’“”…•←→↑↓↵⌘⇧⌥≤≥−"];
/** Letters of European names, currency signs, and other signs of keyboards and lists. */
const latinMore = [...range(0xa1, 0x17f), ..."€₩™№※○●◎△▲▽▼◇◆□■☆★①②③④⑤⑥⑦⑧⑨⑩㎡㎏"].filter(
  (each) => !latin.includes(each),
);
/** The letters of the board and of the frame around every page: the first Korean page needs one slice more than an English page. */
const first = hangul.filter(isIn(firstLetters()));
/** The letters of the console's other words. */
const own = hangul.filter(isIn(lettersOf([join(src, "i18n")]))).filter(isNotIn(first));
/** The letters of Andon's other texts: alerts, errors, the answers to "why", and the rooms of the apps. */
const said = hangul
  .filter(isIn(lettersOf([join(root, "packages"), join(root, "apps")])))
  .filter(isNotIn([...first, ...own]));
const others = hangul.filter(isNotIn([...first, ...own, ...said]));
/** The letters of KS X 1001 by frequency, which is the order of Pretendard's own slices. */
const common = byFrequency().filter(isIn(ksX1001())).filter(isIn(others));
/** In the order of their code points, so that a slice is one range. */
const rare = others.filter(isNotIn(common));
const jamo = [...range(0x3131, 0x318e), ..."、。「」『』〈〉《》【】〔〕〜・"];

/** A browser uses the last face whose range contains a letter, so the wide ranges of rare letters come first. */
const slices = [
  ...cut(rare, SLICE.rare, "hangul-rare"),
  ...cut(common, SLICE.common, "hangul-common"),
  ["hangul-marks", jamo],
  ["hangul-andon", said],
  ["hangul-console", own],
  ["hangul-board", first],
  ["latin-more", latinMore, ["kern", "tnum"]],
  ["latin", latin, ["kern", "tnum"]],
];

rmSync(out, { recursive: true, force: true });
mkdirSync(out);
const faces = [];
for (const [name, letters, keepFeatures] of slices) await make(SANS, name, letters, keepFeatures);
// Without ligatures, because an id is read letter by letter.
await make(MONO, "mono", latin);
writeFileSync(
  join(out, "fonts.css"),
  `/* Made by build/make-fonts.mjs from Pretendard and JetBrains Mono (public/assets/font-license.txt, mono-font-license.txt). */\n${faces.join("\n")}`,
);
for (const [from, to] of [
  [join(pretendard, "LICENSE.txt"), "font-license.txt"],
  [join(jetBrains, "LICENSE"), "mono-font-license.txt"],
])
  copyFileSync(from, fileURLToPath(new URL(`../public/assets/${to}`, import.meta.url)));
rmSync(work, { recursive: true, force: true });
execFileSync(join(root, "node_modules/.bin/biome"), ["format", "--write", join(out, "fonts.css")], {
  cwd: root,
  stdio: "inherit",
});

async function make(family, name, letters, keepFeatures = []) {
  const options = { targetFormat: "truetype", noHinting: true, keepFeatures, variationAxes: AXES };
  const subset = await subsetFont(originals[family], letters.join(""), options);
  const font = await convert(withNames(subset, namesOf(family)), "woff2");
  writeFileSync(join(out, `${name}.woff2`), font);
  console.log(`${name}.woff2: ${letters.length} letters, ${font.length} bytes`);
  faces.push(faceOf(family, name, letters));
}

/** The letters of the first page: of these sections, of the names of rooms, and of the board's own file. */
function firstLetters() {
  const sections = {
    "ko.ts": ["product", "lamp", "state", "counts", "common", "time", "live", "shell"],
    "line.ko.ts": ["board"],
  };
  const i18n = join(src, "i18n");
  const texts = Object.entries(sections).flatMap(([file, names]) => {
    const text = readFileSync(join(i18n, file), "utf8");
    return names.map((name) => new RegExp(`^  ${name}: (?:\\{.*?^  \\},|.*?$)`, "ms").exec(text)?.[0] ?? "");
  });
  const titles = readFileSync(join(i18n, "rooms.ko.ts"), "utf8").match(/^ {4}title: .*$/gm) ?? [];
  const ofApps = readdirSync(join(root, "apps"))
    .map((app) => join(root, "apps", app, "src/console/index.ts"))
    .filter(existsSync)
    .flatMap((file) => readFileSync(file, "utf8").match(/ko: "[^"]*"/g) ?? []);
  const board = readdirSync(i18n)
    .filter((name) => /^board.*\.ko\.ts$/.test(name))
    .map((name) => readFileSync(join(i18n, name), "utf8"));
  return [...new Set([...texts, ...titles, ...ofApps, ...board].join(""))];
}

/** Every letter of the Korean texts in these folders' sources. */
function lettersOf(folders) {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true })
      .filter(
        (name) => /^(.+\/)?src\/.+\.tsx?$|(^|\.)ko\.ts$/.test(name) && !/node_modules|dist\//.test(name),
      )
      .map((name) => join(folder, name)),
  );
  return [...new Set(files.flatMap((file) => [...readFileSync(file, "utf8")]))];
}

function isIn(letters) {
  const all = new Set(letters);
  return (each) => all.has(each);
}

function isNotIn(letters) {
  const isOne = isIn(letters);
  return (each) => !isOne(each);
}

/** The 2,350 syllables that cover nearly every Korean text. */
function ksX1001() {
  const decoder = new TextDecoder("euc-kr");
  const rows = Array.from({ length: 25 }, (_, row) => 0xb0 + row);
  const cells = Array.from({ length: 94 }, (_, cell) => 0xa1 + cell);
  return rows.flatMap((row) => cells.map((cell) => decoder.decode(Uint8Array.of(row, cell))));
}

function byFrequency() {
  const css = readFileSync(join(pretendard, "web/variable/pretendardvariable-dynamic-subset.css"), "utf8");
  const found = [...css.matchAll(/unicode-range:\s*([^;]+);/g)].reverse().flatMap(([, list]) =>
    list.split(",").flatMap((each) => {
      const [from, to = from] = each
        .trim()
        .replace(/^U\+/i, "")
        .split("-")
        .map((hex) => Number.parseInt(hex, 16));
      return range(from, to);
    }),
  );
  return [...new Set([...found, ...hangul])];
}

function cut(letters, size, name) {
  const count = Math.ceil(letters.length / size);
  return Array.from({ length: count }, (_, index) => [
    `${name}-${index + 1}`,
    letters.slice(index * size, (index + 1) * size),
  ]);
}

function faceOf(family, name, letters) {
  return `@font-face {
  font-family: "${family}";
  font-weight: ${AXES.wght.min} ${AXES.wght.max};
  font-display: swap;
  src: url("./${name}.woff2") format("woff2");
  unicode-range: ${name.startsWith("hangul-rare") ? rangeOf(letters) : rangesOf(letters)};
}
`;
}

function hexOf(letter) {
  return letter.codePointAt(0).toString(16);
}

function rangeOf(letters) {
  return `u+${hexOf(letters[0])}-${hexOf(letters.at(-1))}`;
}

function rangesOf(letters) {
  const codes = letters.map((each) => each.codePointAt(0)).sort((a, b) => a - b);
  const runs = [];
  for (const code of codes) {
    const last = runs.at(-1);
    if (last && code === last[1] + 1) last[1] = code;
    else runs.push([code, code]);
  }
  const hex = (code) => code.toString(16);
  return runs.map(([from, to]) => (from === to ? `u+${hex(from)}` : `u+${hex(from)}-${hex(to)}`)).join(", ");
}
