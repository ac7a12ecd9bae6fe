import { type Check, type CheckInput, type Finding, FOUND, freeSpace, type Localized } from "@andon/cli/app";
import { VAULT } from "./i18n.ts";
import { inspectSite } from "./site-places.ts";

type Places = NonNullable<Awaited<ReturnType<typeof inspectSite>>>;

/** Both checks share one inspection. */
const inspections = new WeakMap<CheckInput, Promise<Places | undefined>>();

/** Undefined without the vault, without a store, or if the server that answers has other settings. */
function placesOf(input: CheckInput): Promise<Places | undefined> {
  const { settings, isOurStore, readSiteSnapshot } = input;
  const inspection =
    inspections.get(input) ??
    (settings && isOurStore ? inspectSite(settings, readSiteSnapshot) : Promise.resolve(undefined));
  inspections.set(input, inspection);
  return inspection;
}

/** The two places that store bytes, checked from this machine: reachable, the right ones, writable, with free space. */
export const cache: Check = {
  name: "cache",
  async run(input) {
    const found = (await placesOf(input))?.cache;
    if (!found) return [];
    const { place, problem, free, isNew } = found;
    if (isNew)
      return [
        { level: "warn", what: FOUND.folderMissing, facts: { folder: place }, todo: FOUND.folderMissingTodo },
      ];
    return problem ? [away(problem.in(input.language))] : roomIn(place, free);
  },
};

export const nas: Check = {
  name: "nas",
  async run(input) {
    const found = (await placesOf(input))?.nas;
    if (!found) return [];
    const { place, problem, free, mark } = found;
    const unmarked = UNMARKED[mark];
    if (unmarked) return [{ ...unmarked, facts: { place } }];
    return problem ? [away(problem.in(input.language))] : roomIn(place, free);
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
