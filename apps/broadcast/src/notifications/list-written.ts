import { Conditions, type PageOf } from "@andon/app";
import { iso, isoOrNull } from "@andon/contract";
import type { Store } from "@andon/engine";
import type { Scope } from "../broadcast-context.ts";
import type { PushState } from "../contract/states.ts";
import { findRanges, type RowRange } from "./chunk-pages.ts";

/** The rows of one channel are counted only up to this number. */
const MOST_COUNTED = 10_000;

interface Wanted {
  readonly page: number;
  readonly limit: number;
  readonly channelId?: string | undefined;
  readonly jobId?: string | undefined;
  readonly state?: PushState | undefined;
}

interface WrittenRow {
  readonly jobId: string;
  readonly channelId: string;
  readonly title: string;
  readonly body: string;
  readonly createdAt: number;
  readonly state: PushState;
  readonly sentAt: number | null;
  readonly error: string | null;
}

/**
 * Rows with their message and the chunk that wrote them: the last chunk whose first channel is at or before theirs. The page
 * is cut first and the rest is looked up only for its rows, because a job may have a million of them.
 */
const withChunks = (page: string) => `select p."jobId", p."channelId", m.title, m.body, p."createdAt",
    k.push_state as state, k.sent_at as "sentAt", k.error
  from (${page}) as p
  join broadcast_messages m on m.job_id = p."jobId"
  join broadcast_chunks k on k.job_id = p."jobId" and k.first_channel = (
    select max(b.first_channel) from broadcast_chunks b where b.job_id = p."jobId" and b.first_channel <= p."channelId")`;
const ROW = `n.job_id as "jobId", n.channel_id as "channelId", n.created_at as "createdAt"`;
/** The rows of one channel, one per job. */
const OF_CHANNEL = `from broadcast_notifications n
  join broadcast_messages m on m.job_id = n.job_id
  join broadcast_chunks k on k.job_id = n.job_id and k.first_channel = (
    select max(b.first_channel) from broadcast_chunks b where b.job_id = n.job_id and b.first_channel <= n.channel_id)`;

export async function listNotifications(store: Store, scope: Scope, wanted: Wanted) {
  return shownPage(
    await listWritten(store, scope, wanted),
    ({ jobId, channelId, title, body, createdAt }) => ({
      id: idOf(jobId, channelId),
      jobId,
      channelId,
      title,
      body,
      createdAt: iso(createdAt),
    }),
  );
}

/** Every notification has its push: they are written together and never deleted apart. */
export async function listPushes(store: Store, scope: Scope, wanted: Wanted) {
  return shownPage(await listWritten(store, scope, wanted), ({ jobId, channelId, state, sentAt, error }) => ({
    id: idOf(jobId, channelId),
    jobId,
    channelId,
    state,
    sentAt: isoOrNull(sentAt),
    error,
  }));
}

const idOf = (jobId: string, channelId: string) => `${jobId}:${channelId}`;

function shownPage<Item>(
  { items, ...page }: PageOf<WrittenRow>,
  shown: (row: WrittenRow) => Item,
): PageOf<Item> {
  return { ...page, items: items.map(shown) };
}

function listWritten(store: Store, scope: Scope, wanted: Wanted): Promise<PageOf<WrittenRow>> {
  return wanted.channelId === undefined
    ? listByChunks(store, scope, wanted)
    : listOfChannel(store, scope, wanted.channelId, wanted);
}

async function listByChunks(store: Store, scope: Scope, wanted: Wanted): Promise<PageOf<WrittenRow>> {
  const { page, limit, jobId, state } = wanted;
  const conditions = new Conditions().within(scope, "k");
  if (jobId !== undefined) conditions.add("k.job_id = ?", jobId);
  if (state !== undefined) conditions.add("k.push_state = ?", state);
  const areAll = state === undefined;
  const { total, ranges } = await findRanges(store, conditions, { page, limit, areAll });
  const items: WrittenRow[] = [];
  for (const range of ranges) items.push(...(await readRange(store, range)));
  return { total, page, limit, items };
}

function readRange(store: Store, { jobId, first, last, skip, take }: RowRange) {
  const page = `select ${ROW} from broadcast_notifications n
    where n.job_id = $1 and n.channel_id >= $2 and n.channel_id <= $3 order by n.channel_id limit $4 offset $5`;
  return store.scan<WrittenRow>(`${withChunks(page)} order by p."channelId"`, [
    jobId,
    first,
    last,
    take,
    skip,
  ]);
}

async function listOfChannel(
  store: Store,
  scope: Scope,
  channelId: string,
  { page, limit, jobId, state }: Wanted,
): Promise<PageOf<WrittenRow>> {
  const conditions = new Conditions().add("n.channel_id = ?", channelId).within(scope, "m");
  if (jobId !== undefined) conditions.add("n.job_id = ?", jobId);
  if (state !== undefined) conditions.add("k.push_state = ?", state);
  const { where } = conditions;
  const [count] = await store.scan<{ total: number }>(
    `select count(*) as total from (select 1 ${OF_CHANNEL} ${where} limit ${MOST_COUNTED + 1}) as counted`,
    conditions.params,
  );
  const total = Number(count?.total ?? 0);
  const items = await store.scan<WrittenRow>(
    `${withChunks(`select ${ROW} ${OF_CHANNEL} ${where} order by n.job_id desc
     limit ${conditions.param(limit)} offset ${conditions.param((page - 1) * limit)}`)} order by p."jobId" desc`,
    conditions.params,
  );
  const more = total > MOST_COUNTED ? { more: true as const } : {};
  return { total: Math.min(total, MOST_COUNTED), page, limit, items, ...more };
}
