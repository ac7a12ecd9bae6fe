import { nameProblem } from "@andon/storage";
import { VaultError } from "../contract/errors.ts";
import type { VaultSettings } from "../vault-context.ts";

type NameRules = Pick<VaultSettings, "caseInsensitive" | "windowsNames">;

/** Returns a name that a person gave in NFC. Refuses a name that cannot be stored unchanged. */
export function checkedName(name: string, { windowsNames }: NameRules): string {
  const problem = nameProblem(name, { windows: windowsNames });
  if (problem) throw new VaultError("INVALID_NAME", { name: shortened(name), problem });
  return name.normalize("NFC");
}

const LONGEST_SHOWN = 255;

/** A refused name can be as long as a request body, so the error shows only its beginning. */
function shortened(name: string): string {
  return (name.length > LONGEST_SHOWN ? `${name.slice(0, LONGEST_SHOWN)}…` : name).toWellFormed();
}

/** The files of a tenant are in a folder with the tenant's name. */
export function checkTenant(tenantId: string, rules: NameRules): void {
  if (checkedName(tenantId, rules) !== tenantId) {
    const problem = {
      en: "a tenant's name must be in Unicode NFC",
      ko: "테넌트 이름은 유니코드 NFC여야 합니다",
    };
    throw new VaultError("INVALID_NAME", { name: tenantId, problem });
  }
}

/** Equal for names that the NAS treats as the same; also for whole paths. */
export function nameKey(name: string, { caseInsensitive }: NameRules): string {
  const normal = name.normalize("NFC");
  return caseInsensitive ? folded(normal) : normal;
}

/** The key by which names are sorted and searched, without regard to case even if the NAS distinguishes case. */
export function sortName(name: string): string {
  return folded(name);
}

/** Through upper case, so that letters with several lower-case forms (σ, ς) become one. */
function folded(text: string): string {
  return text.normalize("NFC").toUpperCase().toLowerCase().normalize("NFC");
}
