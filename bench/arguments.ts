import { parseArgs } from "node:util";
import { CONTENDERS } from "./contenders/index.ts";
import { SCENARIOS } from "./scenarios/index.ts";

export interface Arguments {
  scenarios: string[];
  contenders: string[];
  stores: string[];
  quick: boolean;
  selfTest: boolean;
  /** Every contender at full size. Only such a run may replace the kept results, which record their number of rounds. */
  complete: boolean;
  /** Overrides the scenarios' own number of rounds. */
  rounds?: number;
}

export const HELP = `npm run bench -- [options]
  --only drain,serial         scenarios: ${SCENARIOS.map((scenario) => scenario.name).join(", ")}
  --contender andon,bullmq    contenders, by name or by its beginning: ${CONTENDERS.join(", ")}
  --store postgres            only contenders on these stores: postgres, sqlite, redis
  --rounds 3                  rounds of each, instead of the scenario's own number
  --quick                     small sizes and one round
  --self-test                 checks that the benchmark notices a queue that loses, repeats, reorders or does not stop
Results go to results/<scenario>.json; those of a quick or partial run to results/trial.`;

const list = (text: string | undefined): string[] | undefined => text?.split(",").map((part) => part.trim());

/** Throws an error that names the invalid option or value. */
export function readArguments(args: string[]): Arguments | "help" {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: "string" },
      contender: { type: "string" },
      store: { type: "string" },
      rounds: { type: "string" },
      quick: { type: "boolean", default: false },
      "self-test": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return "help";
  const names = SCENARIOS.map((scenario) => scenario.name);
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1 && rounds <= 50)) {
    throw new Error(`--rounds ${values.rounds}: a whole number from 1 to 50`);
  }
  return {
    scenarios: pick("--only", list(values.only), names),
    contenders: pick("--contender", list(values.contender), CONTENDERS),
    stores: pick("--store", list(values.store), ["postgres", "sqlite", "redis"]),
    quick: values.quick,
    selfTest: values["self-test"],
    complete: !values.quick && [values.contender, values.store].every((one) => one === undefined),
    ...(rounds === undefined ? {} : { rounds }),
  };
}

function pick(option: string, wanted: string[] | undefined, known: string[]): string[] {
  if (wanted === undefined) return known;
  for (const name of wanted) {
    if (!known.some((one) => one.startsWith(name))) {
      throw new Error(`${option} ${name}: unknown; expected one of ${known.join(", ")}`);
    }
  }
  return known.filter((one) =>
    wanted.some((name) => (known.includes(name) ? one === name : one.startsWith(name))),
  );
}
