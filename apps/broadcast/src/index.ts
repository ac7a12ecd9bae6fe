import { broadcastApp } from "./app.ts";

export { type BroadcastOptions, broadcastApp } from "./app.ts";
export type { PushBatch, PushSender } from "./pushes/push-sender.ts";

/** Creates the app from the settings of its host. */
export default () => broadcastApp();
