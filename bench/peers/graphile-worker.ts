export { Logger, makeWorkerUtils, type Runner, run } from "graphile-worker";
