import type { Client } from "@andon/client";
import type { Language } from "@andon/contract";
import type { Said } from "../words/said.ts";
import type { Connection, VaultClient } from "./connection.ts";
import type { Output } from "./output.ts";
import type { Shell } from "./shell.ts";

export interface ArgumentSpec {
  readonly says: Said;
  readonly optional?: true;
  /** One or more of them; only the last argument can be so. */
  readonly many?: true;
  readonly choices?: readonly string[];
}

export interface OptionSpec {
  readonly says: Said;
  /** What its value is called; absent: it takes none. */
  readonly value?: string;
  readonly required?: true;
  readonly choices?: readonly string[];
  /** The value is a whole number: 1 or more unless it says otherwise. */
  readonly whole?: true;
  readonly least?: number;
  readonly most?: number;
  /** The value is a time, as the API takes it. */
  readonly time?: true;
}

type Arguments = Readonly<Record<string, ArgumentSpec>>;
type Options = Readonly<Record<string, OptionSpec>>;

type WordOf<S> = S extends { choices: readonly (infer Choice)[] } ? Choice : string;
type ArgumentValue<S> = S extends { many: true }
  ? readonly WordOf<S>[]
  : WordOf<S> | (S extends { optional: true } ? undefined : never);
type OptionValue<S> = S extends { value: string }
  ? (S extends { whole: true } ? number : WordOf<S>) | (S extends { required: true } ? never : undefined)
  : boolean;

/** One use of a command: what was given, and what it works with. */
export interface Use<A = Record<string, unknown>, O = Record<string, unknown>> {
  readonly given: A;
  readonly options: O;
  /** Opened at the first look at it: a command that needs no server needs no key. */
  readonly client: Client;
  readonly vault: VaultClient;
  readonly connection: Connection;
  readonly out: Output;
  readonly shell: Shell;
  readonly language: Language;
}

/** A command as data: the parser, the help and the reference page are all made from it. */
export interface CommandSpec {
  /** One word, or a group and a word: `keys create`. */
  readonly name: string;
  /** What the group does when no word follows. */
  readonly isDefault?: true;
  readonly says: Said;
  readonly example: string;
  readonly given: Arguments;
  readonly options: Options;
  /** The exit code; nothing is 0. */
  readonly run: (use: Use) => Promise<number | undefined>;
}

interface TypedSpec<A extends Arguments, O extends Options> {
  readonly name: string;
  readonly isDefault?: true;
  readonly says: Said;
  readonly example: string;
  readonly given?: A;
  readonly options?: O;
  readonly run: (
    use: Use<
      { readonly [Name in keyof A]: ArgumentValue<A[Name]> },
      { readonly [Name in keyof O]: OptionValue<O[Name]> }
    >,
  ) => Promise<number | undefined>;
}

// An empty record as default would give a command without options any option.
type None = Readonly<Record<never, never>>;

/** Gives `run` the types of what the command takes. */
export function command<const A extends Arguments = None, const O extends Options = None>(
  spec: TypedSpec<A, O>,
): CommandSpec {
  return { given: {}, options: {}, ...spec } as CommandSpec;
}

/** `exitCode` is written `--exit-code`. */
export function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** Options that take no value are false, not absent. */
export function withFlags(spec: CommandSpec, given: Record<string, unknown>): Record<string, unknown> {
  const flags = Object.entries(spec.options).flatMap(([name, { value }]) =>
    value === undefined ? [name] : [],
  );
  return { ...Object.fromEntries(flags.map((name) => [name, false])), ...given };
}
