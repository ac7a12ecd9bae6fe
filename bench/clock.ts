/** Milliseconds of the machine's monotonic clock, which all its processes share; `performance.now` counts per process. */
export const sharedNow = (): number => Number(process.hrtime.bigint()) / 1e6;
