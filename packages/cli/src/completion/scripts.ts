import type { Language } from "@andon/contract";
import type { CommandSpec } from "../terminal/command.ts";
import { bashScript } from "./bash.ts";
import { completedCommands } from "./completed-words.ts";
import { fishScript } from "./fish.ts";
import { zshScript } from "./zsh.ts";

export const SHELLS = ["bash", "zsh", "fish"] as const;

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export function scriptFor(
  shell: (typeof SHELLS)[number],
  specs: readonly CommandSpec[],
  language: Language,
): string {
  return SCRIPTS[shell](completedCommands(specs, language));
}
