import { type Check, type Finding, FOUND, freeSpace, type Localized, type Patient } from "@andon/cli/app";
import { VAULT } from "./i18n.ts";
import { inspectSite } from "./site-places.ts";

type Places = NonNullable<Awaited<ReturnType<typeof inspectSite>>>;

/** Both checks share one inspection. */
const looks = new WeakMap<Patient, Promise<Places | undefined>>();

/** Undefined without the vault, without a store, or if the server that answers has other settings. */
function placesOf(patient: Patient): Promise<Places | undefined> {
  const { settings, isOurStore, readSiteSnapshot } = patient;
  const look =
    looks.get(patient) ??
    (settings && isOurStore ? inspectSite(settings, readSiteSnapshot) : Promise.resolve(undefined));
  looks.set(patient, look);
  return look;
}

/** The two places that store bytes, checked from this machine: reachable, the right ones, writable, with free space. */
export const cache: Check = {
  name: "cache",
  async look(patient) {
    const found = (await placesOf(patient))?.cache;
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
    const found = (await placesOf(patient))?.nas;
    if (!found) return [];
    const { place, problem, free, mark } = found;
    const unmarked = UNMARKED[mark];
    if (unmarked) return [{ ...unmarked, facts: { place } }];
    return problem ? [away(problem.in(patient.language))] : roomIn(place, free);
  },
};

/** The findings for a root whose marker is not the one that the store remembers. */
const UNMARKED: Partial<
  Record<Places["nas"]["mark"], { level: Finding["level"]; what: Localized; todo: Localized }>
> = {
  none: { level: "warn", what: VAULT.nasNew, todo: VAULT.nasNewTodo },
  missing: { level: "bad", what: VAULT.nasUnmarked, todo: VAULT.nasTodo },
  other: { level: "bad", what: VAULT.nasOther, todo: VAULT.nasTodo },
};

function away(problem: string): Finding {
  return { level: "bad", what: VAULT.placeAway, facts: { problem }, todo: FOUND.partTodo };
}

function roomIn(place: string, free: number | undefined): Finding[] {
  const found: Finding[] = [{ level: "ok", what: VAULT.placeGood, facts: { place } }];
  return free === undefined ? found : [...found, freeSpace(free, place)];
}
