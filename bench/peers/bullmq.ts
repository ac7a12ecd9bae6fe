export { Queue, Worker } from "bullmq";
