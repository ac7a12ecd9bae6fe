import type { Client } from "@andon/client";
import type { Language } from "@andon/contract";
import type { lookAtPlaces, lookAtStore, Settings } from "@andon/server";
import type { Connection } from "../kit/connection.ts";
import type { Facts, Said } from "../words/said.ts";

type Level = "ok" | "warn" | "bad";

export interface Finding {
  readonly level: Level;
  readonly what: Said;
  readonly facts?: Facts;
  /** What to do about it. */
  readonly todo?: Said;
}

/** What the server told; undefined where none answers. */
export interface ServerLook {
  readonly parts: readonly { name: string; ok: boolean; problem: string | null }[];
  /** Between which times, by this machine's clock in ms, the answer was made. */
  readonly asked: number;
  readonly answered: number;
  /** The server's own clock at the answer, to the second. */
  readonly date: number | undefined;
}

/** What this machine sees of the store that the settings name. */
export interface LocalStore {
  readonly look: Awaited<ReturnType<typeof lookAtStore>>;
  /** Between which times, by this machine's clock in ms, the store told its own. */
  readonly asked: number;
  readonly answered: number;
  /** Whether a site has ever used it. */
  readonly isUsed: boolean;
}

/** What the checks look at. It is gathered once, for all of them. */
export interface Patient {
  readonly connection: Connection;
  readonly language: Language;
  /** Where the command runs: what relative paths of the settings mean. */
  readonly folder: string;
  readonly settings: Settings | undefined;
  readonly settingsProblems: readonly string[];
  /** Absolute. */
  readonly dataFolder: string;
  readonly store: LocalStore | undefined;
  /** Why the store cannot be looked at. */
  readonly storeProblem: string | undefined;
  /** Undefined where the settings have no vault, the store is away, or the server is one with other settings than these. */
  places(): Promise<Awaited<ReturnType<typeof lookAtPlaces>> | undefined>;
  readonly server: ServerLook | undefined;
  /** Why no server answers. */
  readonly serverProblem: string | undefined;
  /** Undefined where no server answers, or no key is at hand. */
  readonly client: Client | undefined;
}

/** One thing to look at. It gives a line for each thing it finds, and none where there is nothing to look at. */
export interface Check {
  readonly name: string;
  look(patient: Patient): Promise<readonly Finding[]>;
}
