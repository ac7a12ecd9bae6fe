import { AndonError } from "@andon/contract";
import { checkName, isStorageError } from "@andon/storage";
import type { VaultSettings } from "../parts.ts";

type NameRules = Pick<VaultSettings, "caseInsensitive" | "windowsNames">;

/** A name that a person gave, in NFC. It is refused where it cannot be kept as it is. */
export function checkedName(name: string, { windowsNames }: NameRules): string {
  try {
    return checkName(name, { windows: windowsNames });
  } catch (error) {
    if (!isStorageError(error, "NAME_REFUSED")) throw error;
    const details = { name: name.toWellFormed(), problem: error.reason ?? "it is refused" };
    throw new AndonError("INVALID_NAME", details, { cause: error });
  }
}

/** A tenant's things lie in a folder that is named after it. */
export function checkTenant(tenantId: string, rules: NameRules): void {
  if (checkedName(tenantId, rules) !== tenantId) {
    throw new AndonError("INVALID_NAME", {
      name: tenantId,
      problem: "a tenant's name must be in Unicode NFC",
    });
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
