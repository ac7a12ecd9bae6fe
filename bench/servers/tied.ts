import { existsSync } from "node:fs";

const SETPRIV = "/usr/bin/setpriv";

/** The command with which a program ends when this process ends, however that ends. */
export function tied(program: string, args: readonly string[]): [program: string, args: string[]] {
  return existsSync(SETPRIV) ? [SETPRIV, ["--pdeathsig", "TERM", program, ...args]] : [program, [...args]];
}
