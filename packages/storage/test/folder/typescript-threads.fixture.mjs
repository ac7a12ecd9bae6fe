// A thread is Node without vitest, and `--import tsx` leaves threads alone on Node 20: its TypeScript is switched on by hand.
if (!process.features.typescript) (await import("tsx/esm/api")).register();
