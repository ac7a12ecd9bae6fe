import { type Answer, type Client, createClient } from "@andon/client";
import type { ROUTES } from "@andon/contract";
import { type Language, language } from "../words/language.ts";

const url = location.origin;
const clients: Record<Language, Client> = {
  ko: createClient({ url, language: "ko" }),
  en: createClient({ url, language: "en" }),
};

/** The server, which speaks the reader's language. A cookie says who calls. */
export function api(): Client {
  return clients[language()];
}

type Routes = typeof ROUTES;
export type QueueOverview = Answer<Routes["queues"]["overview"]>;
export type FailedJob = Answer<Routes["queues"]["failed"]>["items"][number];
export type FailureGroup = Answer<Routes["queues"]["fingerprints"]>["items"][number];
export type Lane = Answer<Routes["lanes"]["list"]>["items"][number];
export type Stop = Answer<Routes["stops"]["list"]>["items"][number];
export type StopVerdict = Answer<Routes["stops"]["certificate"]>;
export type JobSummary = Answer<Routes["jobs"]["list"]>["items"][number];
export type JobDetail = Answer<Routes["jobs"]["show"]>;
export type Plan = Answer<Routes["plans"]["create"]>;
export type PlanResult = Answer<Routes["plans"]["apply"]>;
export type Operation = Answer<Routes["operations"]["show"]>;
export type Alert = Answer<Routes["alerts"]["list"]>["items"][number];
export type AuditRow = Answer<Routes["audit"]["list"]>["items"][number];
export type Schedule = Answer<Routes["schedules"]["list"]>["items"][number];
export type ApiKey = Answer<Routes["keys"]["list"]>["items"][number];
export type Me = Answer<Routes["session"]["me"]>;
