export * from "./checked-options.ts";
export * from "./did-you-mean.ts";
export * from "./duration.ts";
export * from "./errors.ts";
export * from "./job-states.ts";
export * from "./queue-rules.ts";
export * from "./schedules.ts";
export * from "./shapes.ts";
