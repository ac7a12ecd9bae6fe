import { seeded } from "../processes/seeded.ts";
import type { Member, Site } from "../processes/site.ts";
import { contradictionsIn } from "./judge.ts";
import { addOutcome, emptyOutcome, type Outcome } from "./outcome.ts";

export interface ParkRacePlan {
  readonly jobs: number;
  readonly seed: number;
  readonly patience?: number;
}

const queue = "parking";
const TELLERS = 2;
const PART = 250;
const eventOf = (n: number) => `race-${n}`;

/** Jobs park for an event each while other processes report the events, in any order and some of them twice. */
export async function parkRaces(site: Site, { jobs, seed, patience }: ParkRacePlan): Promise<Outcome> {
  const random = seeded(seed);
  const workers = await site.spawn(2);
  const tellers = await site.spawn(TELLERS);
  const numbers = Array.from({ length: jobs }, (_, n) => n);
  await site.andon.queue<object>(queue).addMany(numbers.map((n) => ({ n, park: eventOf(n) })));
  // Roughly in the order of parking, so that most coincide; a tenth is reported twice.
  const told = numbers.flatMap((n) => (random.below(10) === 0 ? [n, n] : [n]));
  const at = new Map(told.map((n) => [n, n + random.below(60)]));
  told.sort((a, b) => (at.get(a) as number) - (at.get(b) as number));
  await Promise.all([
    ...workers.map((member) => member.ask({ do: "work", queue, places: 8 })),
    ...tellers.map((teller, index) =>
      tell(
        teller,
        told.filter((_, place) => place % TELLERS === index),
      ),
    ),
  ]);
  await site.drained(queue, jobs, patience);
  const outcome = { ...emptyOutcome(), rounds: 1, jobs };
  addOutcome(outcome, { findings: await contradictionsIn(site) });
  const entries = site.ledger.read(queue);
  const ends = entries.filter(({ what }) => what === "end").length;
  if (ends !== jobs) outcome.findings.push(`${ends} of ${jobs} jobs ran to their end, or some twice`);
  outcome.figures.parked = entries.filter(
    ({ what, detail }) => what === "threw" && detail === "parked",
  ).length;
  return outcome;
}

/** In parts: each request has a time limit for its answer. */
async function tell(teller: Member, numbers: readonly number[]): Promise<void> {
  for (let from = 0; from < numbers.length; from += PART)
    await teller.ask({ do: "arrive-all", events: numbers.slice(from, from + PART).map(eventOf) });
}
