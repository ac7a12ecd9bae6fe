// What needs no schemas: building those takes a process longer than starting, and an isolated handler's has no use for them.
export * from "./errors.ts";
export * from "./parse-duration.ts";
export * from "./storable.ts";
