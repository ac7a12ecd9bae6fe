import { KINDS, seeded } from "@andon/testkit/processes";
import { addOutcome, allPoints, emptyOutcome, type Point, strikeAt } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";

const AT_ONCE = 4;

/** Kills the process at every named point of every verb; another process continues. */
export const namedPoints: Fault = {
  name: "points",
  shows: "kill -9 at every named point: nothing lost, decisions whole or not at all",
  kinds: KINDS,
  weight: 14,
  async run({ kind, seed, budgetMs, serverUrl, say }) {
    const points = shuffled(allPoints(), seed);
    const total = emptyOutcome();
    const began = performance.now();
    const todo = [...points];
    const strike = async () => {
      for (let point = todo.shift(); point; point = todo.shift()) {
        const outcome = await strikeAt(kind, point, seed, serverUrl);
        addOutcome(total, outcome);
        if (outcome.findings.length > 0) say(`${point.verb}:${point.moment} FAILED`);
        if (performance.now() - began > budgetMs) return;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, strike));
    total.figures.points = points.length - todo.length;
    total.figures.pointsThereAre = points.length;
    say(`${total.figures.points} of ${points.length} points`);
    return total;
  },
};

function shuffled(points: Point[], seed: number): Point[] {
  const random = seeded(seed);
  for (let last = points.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [points[last], points[other]] = [points[other] as Point, points[last] as Point];
  }
  return points;
}
