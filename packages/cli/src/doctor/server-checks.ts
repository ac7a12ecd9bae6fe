import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { resolve } from "node:path";
import { FOUND } from "../i18n/doctor.ts";
import type { Localized } from "../i18n/localized.ts";
import type { Check, Finding } from "./check.ts";
import { codeOf, problemOf } from "./problem-of.ts";

/** People would notice a larger difference between clocks in the times they read. */
const LARGEST_SKEW_S = 2;
const STORE = "store";

export const server: Check = {
  name: "server",
  async run({ server: found, serverProblem: problem = "", connection: { url } }) {
    if (found) return [{ level: "ok", what: FOUND.serverGood, facts: { url } }];
    return [{ level: "bad", what: FOUND.serverAway, facts: { problem }, todo: FOUND.serverTodo }];
  },
};

/** The server reports on its own store. Without a server, this machine checks the store. */
export const store: Check = {
  name: "store",
  async run({ server: found, settings, folder, store: local, storeProblem }) {
    const part = found?.parts.find(({ name }) => name === STORE);
    if (part) return [part.ok ? { level: "ok", what: FOUND.partGood } : away(part.problem)];
    if (storeProblem !== undefined) return [away(storeProblem)];
    if (!settings || !local) return [];
    return isEmbedded(settings.store)
      ? [await lookAtFile(resolve(folder, settings.store.slice("sqlite:".length)))]
      : [{ level: "ok", what: FOUND.partGood }];
  },
};

/** At its start a server refuses tables that are newer than the program, and migrates older ones. */
export const schema: Check = {
  name: "schema",
  async run({ server: found, store: local }) {
    if (!local?.isUsed) {
      if (found) return [{ level: "ok", what: FOUND.schemaFits }];
      return local ? [{ level: "warn", what: FOUND.schemaNone, todo: FOUND.folderMissingTodo }] : [];
    }
    const { versions } = local.inspection;
    const wrong = versions.flatMap(({ set, found: there, known }): Finding[] => {
      const facts = { set, found: there, known };
      if (there > known)
        return [{ level: "bad", what: FOUND.schemaNewer, facts, todo: FOUND.schemaNewerTodo }];
      return there < known
        ? [{ level: "warn", what: FOUND.schemaOlder, facts, todo: FOUND.schemaOlderTodo }]
        : [];
    });
    if (wrong.length > 0) return wrong;
    const shown = versions.map(({ set, found: there }) => `${set} ${there}`).join(", ");
    return [{ level: "ok", what: FOUND.schemaGood, facts: { versions: shown } }];
  },
};

/** The other parts that the server needs, named by the apps. */
export const parts: Check = {
  name: "parts",
  async run({ server: found }) {
    const others = found?.parts.filter(({ name }) => name !== STORE) ?? [];
    return others.map(({ name, ok, problem }): Finding => {
      const facts = { part: name, problem: problem ?? "" };
      return ok
        ? { level: "ok", what: FOUND.namedPartGood, facts }
        : { level: "warn", what: FOUND.namedPartAway, facts, todo: FOUND.partTodo };
    });
  },
};

export const clocks: Check = {
  name: "clock",
  async run({ server: found, store: local }) {
    const findings: Finding[] = [];
    // `date` is truncated: the server's time is within the second after it, at some moment between request and answer.
    if (found?.date !== undefined)
      findings.push(clock(SERVER_CLOCK, found.date - found.answered, found.asked - (found.date + 1_000)));
    if (local?.isUsed) {
      const { now } = local.inspection;
      findings.push(clock(STORE_CLOCK, now - local.answered, local.asked - now));
    }
    return findings;
  },
};

const SERVER_CLOCK = { good: FOUND.clockGood, off: FOUND.clockOff };
const STORE_CLOCK = { good: FOUND.storeClockGood, off: FOUND.storeClockOff };

/** The finding for a clock that is at least `ahead` ms ahead of this machine's clock, or `behind` ms behind it. */
function clock({ good, off }: { good: Localized; off: Localized }, ahead: number, behind: number): Finding {
  const skew = Math.max(0, ahead, behind) / 1_000;
  return skew > LARGEST_SKEW_S
    ? { level: "warn", what: off, facts: { seconds: skew.toFixed(1) }, todo: FOUND.clockTodo }
    : { level: "ok", what: good, facts: { seconds: LARGEST_SKEW_S } };
}

function isEmbedded(address: string): boolean {
  return address.startsWith("sqlite:");
}

async function lookAtFile(path: string): Promise<Finding> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return { level: "ok", what: FOUND.storeFileGood, facts: { path } };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return away(problemOf(error));
    return { level: "warn", what: FOUND.storeFileMissing, facts: { path }, todo: FOUND.folderMissingTodo };
  }
}

function away(problem: string | null): Finding {
  return { level: "bad", what: FOUND.storeBad, facts: { problem: problem ?? "" }, todo: FOUND.storeTodo };
}
