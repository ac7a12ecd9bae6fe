// The part without schemas. Building them takes longer than starting a process, and the process of an isolated handler needs none.
export * from "./errors.ts";
export * from "./parse-duration.ts";
export * from "./storable.ts";
