import { installPackages, onPath } from "./install-packages.ts";

const PROGRAM = "promtool";
const PACKAGE = "prometheus";

/**
 * The path of Prometheus' own checker. Installs it if it is missing and installing is possible; otherwise throws one
 * line that says what to install.
 */
export function ensurePromtool(): string {
  const found = onPath(PROGRAM);
  if (found) return found;
  installPackages(PROGRAM, [PACKAGE]);
  const installed = onPath(PROGRAM);
  if (!installed) throw new Error(`No ${PROGRAM}: install it (Debian: ${PACKAGE}).`);
  return installed;
}
