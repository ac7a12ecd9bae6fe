import { checkName, joinPath } from "@andon/storage";
import { describe, expect, it } from "vitest";

const REFUSED_EVERYWHERE: [name: string, reason: RegExp][] = [
  ["", /blank/],
  [" ", /blank/],
  ["\u3000\u00a0", /blank/],
  ["\u200b\u200d", /blank/],
  ["\u3164", /blank/],
  [".", /"\."/],
  ["..", /"\."/],
  ["a/b", /slash/],
  ["../../etc/passwd", /slash/],
  ["a\\b", /slash/],
  ["..\\..\\boot.ini", /slash/],
  ["a\0b", /control/],
  ["a\nb", /control/],
  ["a\tb", /control/],
  ["a\u007f", /control/],
  ["a\u0085b", /control/],
  ["a\u2028b", /control/],
  ["a\u2029b", /control/],
  ["invoice\u202Efdp.exe", /control/],
  ["\u2067x", /control/],
  ["a\u061cb", /control/],
  ["a\ud800", /Unicode/],
  ["\udc00a", /Unicode/],
  ["x".repeat(256), /255/],
  ["가".repeat(86), /255/],
  [".andon-nas", /reserved/],
  [".ANDON-NAS", /reserved/],
  [".trash", /reserved/],
  [".Trash", /reserved/],
  [".tenants", /reserved/],
  [".andon-0190-7.part", /unfinished/],
  ["\ufffd.txt", /no text/],
];

const REFUSED_ON_WINDOWS = [
  "CON",
  "con.txt",
  "Prn",
  "aux .tar",
  "NUL",
  "COM1",
  "lpt9.log",
  "COM¹",
  "CONIN$",
  "a<b",
  "a>b",
  "a:b",
  'a"b',
  "a|b",
  "a?b",
  "a*b",
  "trailing.",
  "trailing ",
];

const TAKEN = [
  "a",
  "보고서.pdf",
  "...",
  ".hidden",
  "a b",
  "console.txt",
  "COM10",
  "x".repeat(255),
  "가".repeat(85),
  "👩‍👩‍👧.png",
];

function reasonOf(name: string, rules?: { windows: boolean }): string {
  try {
    checkName(name, rules);
  } catch (error) {
    const { code, reason } = error as { code: string; reason: string };
    return `${code}: ${reason}`;
  }
  return "taken";
}

describe("a name", () => {
  it.each(REFUSED_EVERYWHERE)("is refused with the reason (%j)", (name, reason) => {
    expect(reasonOf(name)).toMatch(/^NAME_REFUSED: it /);
    expect(reasonOf(name)).toMatch(reason);
  });

  it.each(REFUSED_ON_WINDOWS)("is refused for Windows only (%j)", (name) => {
    expect(reasonOf(name)).toBe("taken");
    expect(reasonOf(name, { windows: true })).toMatch(/^NAME_REFUSED/);
  });

  it.each(TAKEN)("is accepted unchanged (%j)", (name) => {
    expect(checkName(name)).toBe(name);
  });

  it("is returned in NFC, and its length is checked in NFC", () => {
    const short = "각".repeat(85);
    expect(Buffer.byteLength(short.normalize("NFD"))).toBeGreaterThan(255);
    expect(checkName(short.normalize("NFD"))).toBe(short);
  });
});

describe("a joined path", () => {
  it("is made of names and paths", () => {
    expect(joinPath("", "a/b", "c")).toBe("a/b/c");
    expect(joinPath(".trash", "0190", "x")).toBe(".trash/0190/x");
  });

  it.each(["..", "a/../../b", "/a", "a//b", "."])("never leaves the root (%j)", (part) => {
    expect(() => joinPath("folder", part)).toThrow(/below the root/);
  });
});
