export { BufferedBytes, bufferIfSmall, SMALL_BYTES } from "./buffered-bytes.ts";
export { FAULTS, type Fault, type FaultCode } from "./faults.ts";
export { checkName, joinPath, MARKER, type NameRules, nameProblem } from "./names.ts";
export { addressOf, type OpenStorageOptions, openStorage, placeNames } from "./open-storage.ts";
export { otherSize } from "./reasons.ts";
export type * from "./storage.ts";
export { isStorageError, StorageError } from "./storage-error.ts";
