import { nameProblem } from "@andon/storage";
import { VaultError } from "../contract/errors.ts";
import type { VaultSettings } from "../vault-context.ts";

type NameRules = Pick<VaultSettings, "caseInsensitive" | "windowsNames">;

/** A name that a person gave, in NFC. It is refused where it cannot be kept as it is. */
export function checkedName(name: string, { windowsNames }: NameRules): string {
  const problem = nameProblem(name, { windows: windowsNames });
  if (problem) throw new VaultError("INVALID_NAME", { name: shortened(name), problem });
  return name.normalize("NFC");
}

const LONGEST_SHOWN = 255;

/** A name that is refused may be as long as a body: the refusal shows where it begins. */
function shortened(name: string): string {
  return (name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name).toWellFormed();
}

/** A tenant's files are in a folder that is named after it. */
export function checkTenant(tenantId: string, rules: NameRules): void {
  if (checkedName(tenantId, rules) !== tenantId) {
    const problem = {
      en: "a tenant's name must be in Unicode NFC",
      ko: "테넌트 이름은 유니코드 NFC여야 합니다",
    };
    throw new VaultError("INVALID_NAME", { name: tenantId, problem });
  }
}

/** Equal for names that the NAS takes for the same one; also for whole paths. */
export function nameKey(name: string, { caseInsensitive }: NameRules): string {
  const normal = name.normalize("NFC");
  return caseInsensitive ? folded(normal) : normal;
}

/** What names are ordered and looked for by, whatever the NAS thinks of letters' case. */
export function sortName(name: string): string {
  return folded(name);
}

/** Through upper case, so that letters with several lower-case forms (σ, ς) become one. */
function folded(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
