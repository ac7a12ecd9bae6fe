// `--import tsx` leaves threads alone on Node 20, so a runner's TypeScript is switched on by hand. Later ones can by themselves.
if (!process.features.typescript) (await import("tsx/esm/api")).register();
