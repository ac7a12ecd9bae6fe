import { CommanderError } from "commander";
import { COMMANDS } from "./commands/index.ts";
import type { CommandSpec } from "./kit/command.ts";
import { Connection } from "./kit/connection.ts";
import { EXIT } from "./kit/exit-codes.ts";
import { toldOf } from "./kit/failures.ts";
import { languageOf } from "./kit/language.ts";
import { Output } from "./kit/output.ts";
import { buildProgram, type GlobalOptions } from "./kit/program.ts";
import type { Shell } from "./kit/shell.ts";
import { useOf } from "./kit/use-of.ts";
import { VERSION } from "./version.ts";

/** Runs one command line. Resolves with the exit code. */
export async function run(args: readonly string[], shell: Shell): Promise<number> {
  const language = languageOf(args, shell.env);
  let exitCode: number = EXIT.ok;
  let out = new Output({ json: false, color: !args.includes("--no-color") }, shell, language);
  let url = "";

  const runCommand = async (
    spec: CommandSpec,
    given: Record<string, unknown>,
    options: Record<string, unknown>,
    global: GlobalOptions,
  ) => {
    out = new Output({ json: global.json ?? false, color: global.color }, shell, language);
    const connection = new Connection(global, shell, language);
    url = connection.url;
    exitCode = (await spec.run(useOf({ given, options, connection, out, shell, language }))) ?? EXIT.ok;
  };

  try {
    const program = buildProgram(COMMANDS, { language, shell, version: VERSION, run: runCommand });
    await program.parseAsync([...args], { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    const told = toldOf(error, language, url);
    // Who pressed Ctrl-C knows.
    if (told.exitCode !== EXIT.interrupted) out.failure(told);
    return told.exitCode;
  }
  return exitCode;
}
