// A thread runs without vitest, and on Node 20 `--import tsx` does not apply to threads, so tsx is registered here.
if (!process.features.typescript) (await import("tsx/esm/api")).register();
