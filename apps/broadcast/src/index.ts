import { broadcastApp } from "./app.ts";

export { type BroadcastOptions, broadcastApp } from "./app.ts";
export type { PushBatch, PushSender } from "./pushes/push-sender.ts";

/** Makes the app as the settings of its host describe it. */
export default () => broadcastApp();
