/** The actor of decisions that no person made. */
export const SYSTEM = "system";
