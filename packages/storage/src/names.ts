import { isBlank, type Localized } from "@andon/contract";
import { StorageError } from "./storage-error.ts";

export const MARKER = ".andon-nas";
const TEMPORARY = /^\.andon-.*\.part$/is;

/**
 * Names that users may not give, because the program stores its own files there. Shares often ignore case, so this
 * check does too.
 */
const RESERVED = new Set([MARKER, ".trash", ".tenants"]);

const WINDOWS_DEVICES = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(\s*\..*)?\s*$/i;

// Bidi controls make a name look like another one; line separators and C1 controls break the text that shows it.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

interface Rule {
  readonly reason: string;
  readonly ko: string;
  /**
   * Which names must follow the rule: every name that is written, names that users give, or names on Windows shares.
   */
  readonly of: "all" | "users" | "windows";
  readonly breaks: (name: string) => boolean;
}

const RULES: readonly Rule[] = [
  {
    of: "all",
    reason: "is not well-formed Unicode",
    ko: "올바른 유니코드가 아닙니다",
    breaks: (name) => !name.isWellFormed(),
  },
  {
    of: "all",
    reason: "is blank",
    ko: "비어 있습니다",
    breaks: isBlank,
  },
  {
    of: "all",
    reason: 'is "." or ".."',
    ko: '"." 또는 ".."입니다',
    breaks: (name) => name === "." || name === "..",
  },
  {
    of: "all",
    reason: "has a slash or backslash",
    ko: "슬래시나 백슬래시가 있습니다",
    breaks: (name) => /[/\\]/.test(name),
  },
  {
    of: "all",
    reason: "has a control character",
    ko: "제어 문자가 있습니다",
    breaks: (name) => CONTROLS.test(name),
  },
  {
    of: "all",
    reason: "is longer than 255 bytes",
    ko: "255바이트를 넘습니다",
    breaks: (name) => Buffer.byteLength(name) > 255,
  },
  {
    of: "all",
    reason: "looks like an unfinished upload of ours",
    ko: "업로드 중인 임시 파일 이름과 같습니다",
    breaks: isTemporary,
  },
  {
    of: "users",
    reason: "is reserved",
    ko: "예약된 이름입니다",
    breaks: (name) => RESERVED.has(name.toLowerCase()),
  },
  {
    of: "users",
    reason: "has U+FFFD, which stands where bytes were no text",
    ko: "텍스트로 읽을 수 없는 바이트를 뜻하는 U+FFFD가 있습니다",
    breaks: (name) => name.includes("\ufffd"),
  },
  {
    of: "windows",
    reason: 'has one of < > : " | ? *',
    ko: '< > : " | ? * 중 하나가 있습니다',
    breaks: (name) => /[<>:"|?*]/.test(name),
  },
  {
    of: "windows",
    reason: "ends with a dot or a space",
    ko: "점이나 공백으로 끝납니다",
    breaks: (name) => /[. ]$/.test(name),
  },
  {
    of: "windows",
    reason: "is a device on Windows",
    ko: "Windows 장치 이름입니다",
    breaks: (name) => WINDOWS_DEVICES.test(name),
  },
];

export interface NameRules {
  /** Whether to refuse also the names that Windows and SMB refuse. */
  readonly windows?: boolean;
}

/**
 * Returns a user's name for a file or folder in NFC; throws `NAME_REFUSED` with the reason if it breaks a rule. Names
 * are never trimmed or replaced: a file must be found under the name that its user gave.
 */
export function checkName(name: string, rules: NameRules = {}): string {
  const problem = nameProblem(name, rules);
  if (problem) throw refused(name, problem.en);
  return name.normalize("NFC");
}

/** Why a name is refused, in words for people; undefined if it is allowed. */
export function nameProblem(name: string, rules: NameRules = {}): Localized | undefined {
  const normal = name.normalize("NFC");
  const broken = RULES.find((rule) => (rule.of !== "windows" || rules.windows) && rule.breaks(normal));
  return broken && { en: `it ${broken.reason}`, ko: broken.ko };
}

function isTemporary(name: string): boolean {
  return TEMPORARY.test(name);
}

/** Whether a path is the marker or an unfinished file: files of this program, not of a user. */
export function isOwn(path: string): boolean {
  return path === MARKER || isTemporary(path.slice(path.lastIndexOf("/") + 1));
}

/** Joins names and paths. The parts are checked, so the result stays below the root whatever they contain. */
export function joinPath(...parts: string[]): string {
  return parts.flatMap((part) => namesOf(part)).join("/");
}

/** The names of a path to write to. Throws `NAME_REFUSED` if one of them breaks a rule. */
export function writableNamesOf(path: string, { windows = false }: NameRules = {}): string[] {
  const names = namesOf(path);
  const binding = RULES.filter(({ of }) => of === "all" || (windows && of === "windows"));
  for (const name of names) {
    const broken = binding.find((rule) => rule.breaks(name));
    if (broken) throw refused(path, `a name in it ${broken.reason}`);
    if (name !== name.normalize("NFC")) throw refused(path, "a name in it is not in Unicode NFC");
  }
  return neitherRootNorMarker(names, path);
}

/** The names of a path to move away or remove. */
export function removableNamesOf(path: string): string[] {
  return neitherRootNorMarker(namesOf(path), path);
}

/**
 * The names of any path below the root, also of files of other programs, whose names may break the rules for new files.
 */
export function namesOf(path: string): string[] {
  if (path === "") return [];
  const names = path.split("/");
  for (const name of names) {
    if (name === "" || name === "." || name === "..") throw refused(path, "it does not stay below the root");
    if (name.includes("\0") || (process.platform === "win32" && name.includes("\\"))) {
      throw refused(path, "it cannot be a name here");
    }
  }
  return names;
}

/** The name of the unfinished file of a claim. */
export function temporaryName(temporary: string): string {
  if (!/^[\w.-]{1,120}$/.test(temporary)) throw refused(temporary, "it cannot name a temporary file");
  return `.andon-${temporary}.part`;
}

/** Whether a name is an unfinished file of the same job as `current` (`<jobId>-<fence>`), made under an earlier claim. */
export function isOlderTemporary(name: string, current: string): boolean {
  const [, job, fence] = /^(.+-)(\d+)$/.exec(current) ?? [];
  if (job === undefined) throw refused(current, "a temporary is named <jobId>-<fence>");
  const start = `.andon-${job}`;
  const [, older] = (name.startsWith(start) && /^(\d+)\.part$/.exec(name.slice(start.length))) || [];
  return older !== undefined && Number(older) < Number(fence);
}

function neitherRootNorMarker(names: string[], path: string): string[] {
  if (names.length === 0) throw refused(path, "it is the root");
  if (names.length === 1 && names[0]?.toLowerCase() === MARKER) throw refused(path, "it is the marker");
  return names;
}

function refused(path: string, reason: string): StorageError {
  return new StorageError("NAME_REFUSED", { place: "", path, reason });
}
