export { Accepted } from "./accepted.ts";
export { type App, type AppMetric, type AppTask, defineApp, type ReadinessCheck } from "./app.ts";
export type { AlertOccasion, AlertWording, AppAlert, AppAlerts } from "./app-alerts.ts";
export type { AppQueue, CarriedOut, JobDecision, JobDescription, SkipFindings } from "./app-queue.ts";
export type { AppSettings, SettingVariable } from "./app-settings.ts";
export type { AnnouncedObject, Announcements, AppHost, AppLog, AppSite, ObjectContent } from "./app-site.ts";
export { type ByteRange, Bytes } from "./bytes.ts";
export type { Call, Serve, ServeAll, UploadPart } from "./call.ts";
export { DEMO_ATTEMPTS, DemoNas, demoRules, type SampleFile, sampleFiles } from "./demo-story.ts";
export { checkReachable } from "./outgoing/check-reachable.ts";
export { type PostPorts, postSafely, signatures } from "./outgoing/post.ts";
export {
  answering,
  type Lookup,
  type Reach,
  reachableAddresses,
  refusalOf,
} from "./outgoing/target-address.ts";
export { withinLimit } from "./outgoing/time-limit.ts";
export { type CallerScope, Conditions, type PageOf, pageOfRows } from "./scoped-query.ts";
export { folder, folderOr, urlOf } from "./setting-addresses.ts";
