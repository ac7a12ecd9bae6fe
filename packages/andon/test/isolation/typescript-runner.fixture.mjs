// On Node 20 `--import tsx` does not affect threads, so a runner's TypeScript is enabled here. Later versions have
// their own.
if (!process.features.typescript) (await import("tsx/esm/api")).register();
