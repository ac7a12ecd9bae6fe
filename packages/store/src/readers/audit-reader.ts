import type { AuditRow, Page } from "@andon/contract";
import { type AuditFilter, type AuditHead, type ChainedAuditRow, GENESIS } from "@andon/engine";
import type { Statement, Values } from "../statement.ts";
import { alongIndex } from "../statements/along-index.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { MOST_COUNTED, totalOf } from "./bounds.ts";
import { countUnlessReached } from "./reached-bounds.ts";

/** Members by which an index is chosen, the narrowest first; the other members filter its rows. */
const LEADS = ["target", "organization", "tenant", "actor", "action"] as const;

/** If none of them is given, the index on time is used for a time span. */
type Lead = (typeof LEADS)[number] | "at";

const ALL_LEADS: readonly Lead[] = [...LEADS, "at"];

/** A time span without an end extends to the largest number that both databases and JavaScript share. */
const EVER = { from: 0, to: Number.MAX_SAFE_INTEGER };
const IN_SPAN = "at >= @from and at < @to";

const COLUMNS =
  "id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant, organization";

const newestOf = (lead: Lead) => {
  if (lead === "at") return `where ${IN_SPAN} order by at desc, id desc`;
  const { where, order } = alongIndex({ [lead]: `@${lead}` }, ["at", "id"], " desc");
  return `where ${where} and ${IN_SPAN} order by ${order}`;
};
const looked = (lead: Lead) => `(
  select ${COLUMNS} from andon_audit ${newestOf(lead)} limit @most
) a`;
const FILTERED = LEADS.map((name) => `(cast(@${name} as text) is null or a.${name} = @${name})`).join(
  " and ",
);
const byLead = (name: string, source: (lead: Lead) => string) =>
  Object.fromEntries(ALL_LEADS.map((lead) => [lead, shared(`${name}-${lead}`, () => source(lead))]));
const pages = byLead(
  "audit-page",
  (lead) => `select a.* from ${looked(lead)} where ${FILTERED}
order by a.at desc, a.id desc limit @limit offset @offset`,
);
const totals = byLead(
  "audit-count",
  (lead) =>
    `select count(*) as looked, coalesce(sum(case when ${FILTERED} then 1 else 0 end), 0) as total from ${looked(lead)}`,
);
/**
 * If the leading member is the only one, its index is counted. In its own order, so that no other index on times is
 * used.
 */
const wholes = byLead(
  "audit-count-whole",
  (lead) => `select count(*) as total from (
  select 1 from andon_audit ${newestOf(lead)} limit @most
) a`,
);
/** Numbers of the chain have no gaps, so they locate any page of all rows, and the last one is the total. */
const chainPage = shared(
  "audit-chain-page",
  () => `select ${COLUMNS} from andon_audit where seq > @after and seq <= @upTo order by seq desc`,
);
const chain = shared(
  "audit-chain",
  () => `select ${COLUMNS} from andon_audit where seq > @after order by seq limit @most`,
);
const head = shared("audit-head", () => "select seq, hash from andon_audit_head where id = 1");

const checked = shared("audit-checked", () => "select seq, hash from andon_audit_checked where id = 1");

interface RawAudit {
  id: string;
  actor: string;
  at: number;
  action: string;
  target: string;
  reason: string | null;
  before_json: string;
  after_json: string;
  seq: number;
  hash: string;
}

/** A page, newest first, of the last rows that the leading member's index has. */
export async function audit(
  at: StepContext,
  filter: AuditFilter,
  page: number,
  limit: number,
): Promise<Page<AuditRow>> {
  const given = LEADS.filter((name) => filter[name] !== undefined);
  const offset = (page - 1) * limit;
  const lead = given[0] ?? (filter.from === undefined && filter.to === undefined ? undefined : "at");
  const { rows, ...found } = await (lead === undefined
    ? pageOfChain(at, offset, limit)
    : pageOfLead(at, filter, lead, { offset, limit }));
  return { ...found, page, limit, items: rows.map(auditRow) };
}

async function pageOfChain(
  at: StepContext,
  offset: number,
  limit: number,
): Promise<{ rows: RawAudit[]; total: number; more?: true }> {
  const { seq } = await auditHead(at);
  const values = { after: seq - offset - limit, upTo: seq - offset };
  return { total: seq, rows: await at.session.all<RawAudit>(chainPage(at.dialect), values) };
}

async function pageOfLead(
  at: StepContext,
  filter: AuditFilter,
  lead: Lead,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: RawAudit[]; total: number; more?: true }> {
  const members = Object.fromEntries(LEADS.map((name) => [name, filter[name] ?? null]));
  const { from = EVER.from, to = EVER.to } = filter;
  const values = { ...members, from, to, most: MOST_COUNTED + 1 };
  const statement = (of: typeof pages) => (of[lead] as ReturnType<typeof shared>)(at.dialect);
  const isWhole = LEADS.every((name) => name === lead || filter[name] === undefined);
  const page = { limit, offset, ...(isWhole ? { most: offset + limit } : {}) };
  const [counted, rows] = await Promise.all([
    isWhole ? countWhole(at, statement(wholes), values, lead) : countMatching(at, statement(totals), values),
    offset < MOST_COUNTED ? at.session.all<RawAudit>(statement(pages), { ...values, ...page }) : [],
  ]);
  const { more } = totalOf(counted.looked);
  return { rows, total: Math.min(counted.total, MOST_COUNTED), ...(more ? { more } : {}) };
}

interface Counted {
  /** Rows read along the index, and how many of them pass the other filters. */
  looked: number;
  total: number;
}

async function countMatching(at: StepContext, statement: Statement, values: Values): Promise<Counted> {
  const [counted] = await at.session.all<Counted>(statement, values);
  return { looked: Number(counted?.looked ?? 0), total: Number(counted?.total ?? 0) };
}

async function countWhole(
  at: StepContext,
  statement: Statement,
  values: Values,
  lead: Lead,
): Promise<Counted> {
  const total = await countUnlessReached(
    at.session,
    JSON.stringify(["audit", lead, values[lead] ?? null, values.from, values.to]),
    async () => {
      const [counted] = await at.session.all<{ total: number }>(statement, values);
      return Number(counted?.total ?? 0);
    },
  );
  return { looked: total, total };
}

export async function auditChain(at: StepContext, after: number, most: number): Promise<ChainedAuditRow[]> {
  const rows = await at.session.all<RawAudit>(chain(at.dialect), { after, most });
  return rows.map((raw) => ({ ...auditRow(raw), seq: raw.seq, hash: raw.hash }));
}

export async function auditHead(at: StepContext): Promise<AuditHead> {
  const [found] = await at.session.all<AuditHead>(head(at.dialect), {});
  return found ?? { seq: 0, hash: GENESIS };
}

export async function auditChecked(at: StepContext): Promise<AuditHead | undefined> {
  const [found] = await at.session.all<AuditHead>(checked(at.dialect), {});
  return found;
}

function auditRow(raw: RawAudit): AuditRow {
  return {
    id: raw.id,
    actor: raw.actor,
    at: raw.at,
    action: raw.action,
    target: raw.target,
    reason: raw.reason,
    before: JSON.parse(raw.before_json),
    after: JSON.parse(raw.after_json),
  };
}
