import {
  type CommandSpec,
  EXIT,
  type Facts,
  Failure,
  flagOf,
  LiveBlock,
  type Localized,
  sleep,
  type Use,
  useOf,
  withFlags,
} from "@andon/cli/app";
import { filledPath, type Route } from "@andon/contract";
import { boardLines } from "./board.ts";
import { DEMO } from "./i18n.ts";

/** The time for reading a step. */
const READING_MS = 1_200;
const LOOK_MS = 150;
const LONGEST_WAIT_MS = 60_000;

type Values = Readonly<Record<string, unknown>>;

/** Prints the story: each event, with its command and its request, and the state of the queue meanwhile. */
export class Narrator {
  readonly #use: Use;
  readonly #readingMs: number;
  readonly #signal: AbortSignal;
  #step = 0;

  constructor(use: Use, { isFast }: { isFast: boolean }) {
    this.#use = use;
    this.#readingMs = isFast ? 0 : READING_MS;
    this.#signal = use.shell.interruption();
  }

  step(title: Localized, total: number): void {
    const { out } = this.#use;
    const facts = { number: ++this.#step, total, title: out.say(title) };
    out.line(`\n${out.paint("bold", out.say(DEMO.step, facts))}`);
  }

  say(said: Localized, facts?: Facts): void {
    this.#use.out.line(this.#use.out.say(said, facts));
  }

  /** Prints a command that a person could type. */
  typed(line: string): void {
    this.#use.out.line(this.#use.out.paint("cyan", `$ ${line}`));
  }

  /** Runs a command against the demo's server, as if it were typed, and shows the equivalent request. */
  async run(
    spec: CommandSpec,
    given: Values = {},
    options: Values = {},
    request?: { route: Route; input: Values },
  ): Promise<void> {
    this.typed(commandLine(spec, given, options));
    if (request) this.typed(curlLine(request.route, request.input));
    const code = await spec.run(useOf({ ...this.#use, given, options: withFlags(spec, options) }));
    if (code !== undefined && code !== EXIT.ok)
      throw new Failure(code, DEMO.commandFailed, { command: spec.name });
    await this.reading();
  }

  /** Pauses for reading; a terminal shows the live board meanwhile. */
  async reading(): Promise<void> {
    const end = performance.now() + this.#readingMs;
    await this.#meanwhile(async () => performance.now() >= end);
  }

  /** Repeats `look` until it finds something, while the server works. */
  async until<T>(look: () => Promise<T | undefined | false>): Promise<T> {
    const end = performance.now() + LONGEST_WAIT_MS;
    let found: T | undefined | false;
    await this.#meanwhile(async () => {
      found = await look();
      if (!found && performance.now() > end)
        throw new Failure(EXIT.refused, DEMO.tooLate, { seconds: LONGEST_WAIT_MS / 1_000 });
      return Boolean(found);
    });
    return found as T;
  }

  async #meanwhile(isOver: () => Promise<boolean>): Promise<void> {
    const { out, shell } = this.#use;
    const board = new LiveBlock(shell.stdout);
    try {
      while (!(await isOver())) {
        if (out.isTerminal) board.show(await boardLines(this.#use));
        await sleep(LOOK_MS, this.#signal);
      }
    } finally {
      board.end();
    }
  }
}

/** `andon retry 12 --reason "the NAS is back"`. */
function commandLine(spec: CommandSpec, given: Values, options: Values): string {
  const flags = Object.entries(options).flatMap(([name, value]) =>
    value === true ? [flagOf(name)] : [flagOf(name), quoted(String(value))],
  );
  const values = Object.values(given)
    .flat()
    .map((value) => quoted(String(value)));
  return ["andon", spec.name, ...values, ...flags].join(" ");
}

function quoted(text: string): string {
  return /^[\w.:-]+$/.test(text) ? text : JSON.stringify(text);
}

/** The equivalent `curl` command; what is neither in the path nor in the query is the body. */
function curlLine({ method, path, query }: Route, input: Values): string {
  const rest = { ...input };
  const filled = filledPath(path, (name) => {
    const value = String(rest[name]);
    delete rest[name];
    return value;
  });
  const asked = Object.entries(rest).filter(([name]) => name in query.shape);
  for (const [name] of asked) delete rest[name];
  const search = asked.length > 0 ? `?${new URLSearchParams(asked as [string, string][])}` : "";
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const body = Object.keys(rest).length > 0 ? ` --json '${JSON.stringify(rest)}'` : "";
  return `curl -H "$AUTH"${verb}${body} "$ANDON_URL${filled}${search}"`;
}
