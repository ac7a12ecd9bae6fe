import { FOUND } from "../words/doctor.ts";
import type { Said } from "../words/said.ts";
import type { Check, Finding, Patient } from "./check.ts";
import { freeSpace } from "./free-space.ts";

type Places = NonNullable<Awaited<ReturnType<Patient["places"]>>>;

/** The two places for bytes, as this machine sees them: reachable, ours, writable, with room. */
export const cache: Check = {
  name: "cache",
  async look(patient) {
    const found = (await patient.places())?.cache;
    if (!found) return [];
    const { place, problem, free, isNew } = found;
    if (isNew)
      return [
        { level: "warn", what: FOUND.folderMissing, facts: { folder: place }, todo: FOUND.folderMissingTodo },
      ];
    return problem ? [away(problem.in(patient.language))] : roomIn(place, free);
  },
};

export const nas: Check = {
  name: "nas",
  async look(patient) {
    const found = (await patient.places())?.nas;
    if (!found) return [];
    const { place, problem, free, mark } = found;
    const unmarked = UNMARKED[mark];
    if (unmarked) return [{ ...unmarked, facts: { place } }];
    return problem ? [away(problem.in(patient.language))] : roomIn(place, free);
  },
};

/** What a root means whose mark is not the one that the store remembers. */
const UNMARKED: Partial<Record<Places["nas"]["mark"], { level: Finding["level"]; what: Said; todo: Said }>> =
  {
    none: { level: "warn", what: FOUND.nasNew, todo: FOUND.nasNewTodo },
    missing: { level: "bad", what: FOUND.nasUnmarked, todo: FOUND.nasTodo },
    other: { level: "bad", what: FOUND.nasOther, todo: FOUND.nasTodo },
  };

function away(problem: string): Finding {
  return { level: "bad", what: FOUND.placeAway, facts: { problem }, todo: FOUND.partTodo };
}

function roomIn(place: string, free: number | undefined): Finding[] {
  const found: Finding[] = [{ level: "ok", what: FOUND.placeGood, facts: { place } }];
  return free === undefined ? found : [...found, freeSpace(free, place)];
}
