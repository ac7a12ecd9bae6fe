import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { connect } from "node:net";
import { resolve } from "node:path";
import { FOUND } from "../words/doctor.ts";
import type { Check, Finding } from "./check.ts";
import { codeOf } from "./machine-checks.ts";

/** A difference of clocks that people would notice in what they read. */
const LARGEST_SKEW_S = 2;
const LONGEST_CONNECT_MS = 3_000;
const STORE = "store";

export const server: Check = {
  name: "server",
  async look({ server: found, serverProblem: problem = "", connection: { url } }) {
    if (found) return [{ level: "ok", what: FOUND.serverGood, facts: { url } }];
    return [{ level: "bad", what: FOUND.serverAway, facts: { problem }, todo: FOUND.serverTodo }];
  },
};

/** Asked of the server, which uses it; without one, only whether something is there to connect to. */
export const store: Check = {
  name: "store",
  async look({ server: found, settings, folder }) {
    const part = found?.parts.find(({ name }) => name === STORE);
    if (part) return [part.ok ? { level: "ok", what: FOUND.partGood } : away(part.problem)];
    return settings ? [await lookAtStore(settings.store, folder)] : [];
  },
};

export const schema: Check = {
  name: "schema",
  // A server refuses to start on a schema that is newer than it, and brings an older one up to date.
  look: async ({ server: found }) => (found ? [{ level: "ok", what: FOUND.schemaFits }] : []),
};

/** Whatever else the server needs: each app names its own parts. */
export const parts: Check = {
  name: "parts",
  async look({ server: found }) {
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
  async look({ server: found }) {
    if (found?.date === undefined) return [];
    // The server's second began at `date`; any moment of it, and of the time the answer took, may be the one meant.
    const ahead = found.date - found.answered;
    const behind = found.asked - (found.date + 1_000);
    const skew = Math.max(0, ahead, behind) / 1_000;
    const facts = { seconds: skew.toFixed(1) };
    return skew > LARGEST_SKEW_S
      ? [{ level: "warn", what: FOUND.clockOff, facts, todo: FOUND.clockTodo }]
      : [{ level: "ok", what: FOUND.clockGood, facts: { seconds: LARGEST_SKEW_S } }];
  },
};

async function lookAtStore(address: string, folder: string): Promise<Finding> {
  return address.startsWith("sqlite:")
    ? lookAtFile(resolve(folder, address.slice("sqlite:".length)))
    : lookAtDatabase(new URL(address));
}

async function lookAtFile(path: string): Promise<Finding> {
  try {
    await access(path, constants.R_OK | constants.W_OK);
    return { level: "ok", what: FOUND.storeFileGood, facts: { path } };
  } catch (error) {
    if (codeOf(error) !== "ENOENT") return away(codeOf(error));
    return { level: "warn", what: FOUND.storeFileMissing, facts: { path }, todo: FOUND.folderMissingTodo };
  }
}

async function lookAtDatabase({ hostname, port }: URL): Promise<Finding> {
  const to = { host: hostname || "127.0.0.1", port: Number(port || 5432) };
  const problem = await new Promise<string | null>((settle) => {
    const socket = connect(to, () => settle(null));
    socket.setTimeout(LONGEST_CONNECT_MS, () => settle("ETIMEDOUT"));
    socket.on("error", (error) => settle(codeOf(error)));
    socket.on("connect", () => socket.destroy());
    socket.on("timeout", () => socket.destroy());
  });
  if (problem !== null) return away(problem);
  return { level: "ok", what: FOUND.storeConnects, facts: { address: `${to.host}:${to.port}` } };
}

function away(problem: string | null): Finding {
  return { level: "bad", what: FOUND.storeBad, facts: { problem: problem ?? "" }, todo: FOUND.storeTodo };
}
