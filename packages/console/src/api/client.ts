import { type Answer, type ClientOf, clientOf } from "@andon/client";
import { ROUTES, type RouteTable } from "@andon/contract";
import { type Language, language } from "../i18n/language.ts";

/** Makes a client of these routes, such as an app's, in the reader's language. The session cookie identifies the caller. */
export function clientFor<T extends RouteTable>(routes: T): () => ClientOf<T> {
  const url = location.origin;
  const clients: Record<Language, ClientOf<T>> = {
    ko: clientOf(routes, { url, language: "ko" }),
    en: clientOf(routes, { url, language: "en" }),
  };
  return () => clients[language()];
}

/** The server's own routes. */
export const api = clientFor(ROUTES);

type Routes = typeof ROUTES;
export type QueueOverview = Answer<Routes["queues"]["overview"]>;
export type HistoryPoint = Answer<Routes["queues"]["history"]>["points"][number];
export type RunningJob = Answer<Routes["jobs"]["running"]>["items"][number];
export type FailedJob = Answer<Routes["queues"]["failed"]>["items"][number];
export type FailureGroup = Answer<Routes["queues"]["fingerprints"]>["items"][number];
export type Rehearsal = Answer<Routes["queues"]["rehearse"]>;
export type Lane = Answer<Routes["lanes"]["list"]>["items"][number];
export type Stop = Answer<Routes["stops"]["list"]>["items"][number];
export type StopVerdict = Answer<Routes["stops"]["certificate"]>;
export type JobSummary = Answer<Routes["jobs"]["list"]>["items"][number];
export type JobDetail = Answer<Routes["jobs"]["show"]>;
export type Plan = Answer<Routes["plans"]["create"]>;
export type PlanResult = Answer<Routes["plans"]["apply"]>;
export type Operation = Answer<Routes["operations"]["show"]>;
export type HeldDecision = Answer<Routes["decisions"]["show"]>;
export type Alert = Answer<Routes["alerts"]["list"]>["items"][number];
export type AuditRow = Answer<Routes["audit"]["list"]>["items"][number];
export type Schedule = Answer<Routes["schedules"]["list"]>["items"][number];
export type OpenLogin = Answer<Routes["sessions"]["list"]>["items"][number];
export type ApiKey = Answer<Routes["keys"]["list"]>["items"][number];
export type Me = Answer<Routes["session"]["me"]>;
