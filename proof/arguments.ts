import { parseArgs } from "node:util";
import { KINDS, type Kind } from "@andon/testkit/processes";
import { FAULTS } from "./faults/index.ts";

export interface Arguments {
  readonly minutes: number;
  readonly faults: readonly string[];
  readonly kinds: readonly Kind[];
  readonly seed: number;
}

const DEFAULT_MINUTES = 30;
const names = FAULTS.map(({ name }) => name);

export const HELP = `npm run proof -- [faults] [options]
  --minutes 30           time for all of it, shared out over faults and stores; each runs at least one round
  --hours 2              the same in hours: \`soak --hours 2 --store sqlite\` is the long soak on one store
  --only kills,points    faults: ${names.join(", ")}
  --store sqlite         only this store: ${KINDS.join(", ")}
  --seed 1234            repeats the choices of a run
Results go to proof/results/<fault>.<store>.json. The exit code is 1 where anything was found.`;

/** Throws an error that names the invalid option or value. */
export function readArguments(args: string[]): Arguments | "help" {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      minutes: { type: "string" },
      hours: { type: "string" },
      only: { type: "string" },
      store: { type: "string" },
      seed: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  return {
    minutes:
      values.hours === undefined
        ? number("--minutes", values.minutes ?? String(DEFAULT_MINUTES), 0, 24 * 60)
        : 60 * number("--hours", values.hours, 0, 24),
    faults: pick("--only", values.only ?? (positionals.length > 0 ? positionals.join() : undefined), names),
    kinds: pick("--store", values.store, KINDS),
    seed: number("--seed", values.seed ?? String(Math.floor(Math.random() * 1_000_000)), 0, 2 ** 31),
  };
}

function number(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (text.trim() !== "" && value >= least && value <= most) return value;
  throw new Error(`${option} ${text}: a number from ${least} to ${most}`);
}

function pick<Name extends string>(
  option: string,
  wanted: string | undefined,
  known: readonly Name[],
): readonly Name[] {
  if (wanted === undefined) return known;
  const parts = wanted.split(",").map((part) => part.trim());
  const unknown = parts.find((part) => !known.some((name) => name === part));
  if (unknown !== undefined)
    throw new Error(`${option} ${unknown}: unknown; expected one of ${known.join(", ")}`);
  return known.filter((name) => parts.includes(name));
}
