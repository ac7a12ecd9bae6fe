import type { Language } from "@andon/contract";
import type { Handler } from "@andon/engine";
import { isStorageError, StorageError } from "@andon/storage";
import type { VaultParts } from "./parts.ts";

/** A handler whose faults of a place are said in the server's language: what a job failed with is stored, and people read it. */
export function sayingFaults<Payload>(
  { settings: { language } }: VaultParts,
  handler: Handler<Payload>,
): Handler<Payload> {
  return async (job, context) => {
    try {
      return await handler(job, context);
    } catch (error) {
      throw isStorageError(error) ? saidFault(error, language) : error;
    }
  };
}

/** The same fault in all but its message. */
function saidFault(fault: StorageError, language: Language): StorageError {
  const { code, place, path, reason, cause, stack } = fault;
  const where = {
    place,
    ...(path === undefined ? {} : { path }),
    ...(reason === undefined ? {} : { reason }),
  };
  const said = new StorageError(code, where, { cause });
  return Object.assign(said, { message: fault.in(language), stack });
}
