/** Lines of the log for people on a terminal: local time, level, message, and the other members. */

const COLOURS = { fatal: 31, error: 31, warn: 33, info: 32, debug: 36, trace: 2 } as const;
const DIM = 2;
const BOLD = 1;
/** A longer member is cut. The JSON format has the whole value. */
const LONGEST_VALUE = 160;
/** Members that are shown elsewhere in the line, or are equal on every line. */
const LEFT_OUT = new Set(["level", "time", "service", "pid", "msg", "err"]);

type Fields = Readonly<Record<string, unknown>>;

interface TextOptions {
  readonly isColoured: boolean;
  /** Whether to include successful reads, which an open console makes every second. */
  readonly isVerbose: boolean;
}

/** Formats a line of JSON as text; an empty text for a line that is left out. */
export function textLines({ isColoured, isVerbose }: TextOptions): (line: string) => string {
  const paint = (code: number, text: string) => (isColoured ? `\u001b[${code}m${text}\u001b[0m` : text);
  return (line) => {
    const fields = JSON.parse(line) as Fields;
    if (!isVerbose && isAnsweredRead(fields)) return "";
    const level = String(fields.level);
    const time = paint(DIM, clockOf(String(fields.time)));
    const mark = paint(COLOURS[level as keyof typeof COLOURS] ?? DIM, level.toUpperCase().padEnd(5));
    const told = isRequest(fields)
      ? requestText(fields)
      : [paint(BOLD, String(fields.msg ?? "")), ...membersOf(fields).map((text) => paint(DIM, text))].join(
          "  ",
        );
    return `${time} ${mark} ${told}\n${errorText(fields.err, (text) => paint(DIM, text))}`;
  };
}

const isRequest = ({ msg, method, path }: Fields) =>
  msg === "request" && typeof method === "string" && typeof path === "string";

function isAnsweredRead(fields: Fields): boolean {
  return isRequest(fields) && fields.method === "GET" && Number(fields.status) < 400;
}

function requestText({ method, path, status, ms, actor }: Fields): string {
  return `${method} ${path} ${status} ${ms} ms${actor ? ` ${actor}` : ""}`;
}

function clockOf(time: string): string {
  const at = new Date(time);
  const two = (value: number) => String(value).padStart(2, "0");
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

function membersOf(fields: Fields): string[] {
  return Object.entries(fields)
    .filter(([name, value]) => !LEFT_OUT.has(name) && value !== null && value !== undefined)
    .map(([name, value]) => `${name}=${cut(valueText(value))}`);
}

function valueText(value: unknown): string {
  if (typeof value === "string") return /\s/.test(value) ? JSON.stringify(value) : value;
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value.join(",");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const cut = (text: string) => (text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1)}…` : text);

/** The error below its line: its message, then its stack. */
function errorText(err: unknown, paint: (text: string) => string): string {
  if (typeof err !== "object" || err === null) return "";
  const { type, message, code, stack } = err as Fields;
  const head = `  ${[type, code].filter(Boolean).join(" ")}: ${message}\n`;
  const places = String(stack ?? "")
    .split("\n")
    .filter((line) => /^\s+at /.test(line))
    .map((line) => `${paint(`    ${line.trim()}`)}\n`);
  return head + places.join("");
}
