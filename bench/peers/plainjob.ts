export { default as Database } from "better-sqlite3";
export { better, defineQueue, defineWorker, JobStatus } from "plainjob";
