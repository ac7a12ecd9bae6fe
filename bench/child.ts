import type { ContenderKind, Place } from "./contender.ts";
import { loadContender } from "./contenders/index.ts";
import type { Outcome, Round } from "./scenario.ts";
import { SCENARIOS } from "./scenarios/index.ts";

/** One round of one contender in one scenario, in a process that does nothing else. */
export interface RoundOrder {
  scenario: string;
  contender: string;
  variant: string;
  quick: boolean;
  place: Place;
}

async function run(order: RoundOrder): Promise<Outcome> {
  const scenario = SCENARIOS.find((one) => one.name === order.scenario);
  const kind: ContenderKind | undefined = await loadContender(order.contender);
  if (scenario === undefined || kind === undefined)
    throw new Error(`nothing to run for ${JSON.stringify(order)}`);
  const { place, variant } = order;
  const round: Round = {
    kind,
    variant,
    place,
    size: order.quick ? scenario.quick : scenario.full,
    open: ({ queue, ...options } = {}) =>
      kind.open({ ...place, queue: queue ?? place.queue }, { mode: scenario.mode, variant, ...options }),
  };
  return scenario.run(round);
}

// Ends with the process that started it, however that one ends.
process.once("disconnect", () => process.exit());
const answer = await run(JSON.parse(process.argv[2] ?? "{}")).then(
  (outcome) => ({ outcome }),
  (error: unknown) => ({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) }),
);
// Some peers leave timers or connections open. The answer is sent, so the process ends here.
process.send?.(answer, () => process.exit());
