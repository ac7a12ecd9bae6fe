import type { AuditRow, Page } from "@andon/contract";
import { type AuditFilter, type AuditHead, type ChainedAuditRow, GENESIS } from "@andon/engine";
import { type StepContext, shared } from "../steps/kit.ts";

const MOST_COUNTED = 10_000;

/** Which index leads, the narrowest first; the other members filter what it gives. */
const LEADS = ["target", "tenant", "actor", "action"] as const;

const COLUMNS = "id, actor, at, action, target, reason, before_json, after_json, seq, hash, tenant";

const looked = (lead: (typeof LEADS)[number] | "all") => `(
  select ${COLUMNS} from andon_audit ${lead === "all" ? "" : `where ${lead} = @${lead} `}order by at desc, id desc limit ${MOST_COUNTED + 1}
) a`;
const FILTERED = LEADS.map((name) => `(cast(@${name} as text) is null or a.${name} = @${name})`).join(
  " and ",
);
const byLead = (name: string, source: (lead: (typeof LEADS)[number] | "all") => string) =>
  Object.fromEntries(
    ([...LEADS, "all"] as const).map((lead) => [lead, shared(`${name}-${lead}`, () => source(lead))]),
  );
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
const chain = shared(
  "audit-chain",
  () => `select ${COLUMNS} from andon_audit where seq > @after order by seq limit @most`,
);
const head = shared(
  "audit-head",
  () => `select h.seq, h.hash, h.unchained, u.found from andon_audit_head h
cross join (select count(*) as found from andon_audit where seq is null) u where h.id = 1`,
);

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

/** Newest first, of the last 10,000 rows that the leading member finds. */
export async function audit(
  at: StepContext,
  filter: AuditFilter,
  page: number,
  limit: number,
): Promise<Page<AuditRow>> {
  const values = Object.fromEntries(LEADS.map((name) => [name, filter[name] ?? null]));
  const lead = LEADS.find((name) => filter[name] !== undefined) ?? "all";
  const statement = (of: typeof pages) => (of[lead] as ReturnType<typeof shared>)(at.dialect);
  const [counted] = await at.session.all<{ looked: number; total: number }>(statement(totals), values);
  const rows = await at.session.all<RawAudit>(statement(pages), {
    ...values,
    limit,
    offset: (page - 1) * limit,
  });
  const more = Number(counted?.looked ?? 0) > MOST_COUNTED;
  const total = Math.min(Number(counted?.total ?? 0), MOST_COUNTED);
  return { total, page, limit, items: rows.map(auditRow), ...(more ? { more: true } : {}) };
}

export async function auditChain(at: StepContext, after: number, most: number): Promise<ChainedAuditRow[]> {
  const rows = await at.session.all<RawAudit>(chain(at.dialect), { after, most });
  return rows.map((raw) => ({ ...auditRow(raw), seq: raw.seq, hash: raw.hash }));
}

export async function auditHead(at: StepContext): Promise<AuditHead> {
  const [raw] = await at.session.all<Omit<AuditHead, "foundUnchained"> & { found: number }>(
    head(at.dialect),
    {},
  );
  if (!raw) return { seq: 0, hash: GENESIS, unchained: 0, foundUnchained: 0 };
  const { found, ...plain } = raw;
  return { ...plain, foundUnchained: found };
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
