import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { Store, Tx } from "@andon/engine";
import { addressOf, MARKER, openStorage, type Storage, StorageError } from "@andon/storage";

/**
 * Checks that a NAS is the known one. Its root contains a marker, and the store remembers the content of the marker. An
 * unmounted share leaves a folder without a marker behind, so a NAS that the store knows never gets a new marker
 * automatically; a NAS that the store has never known gets one when a process starts with it. If that is interrupted,
 * the next call continues: a marker on the NAS that is not in the database is adopted.
 */
export async function recognise(store: Store, nas: Storage, url: string): Promise<void> {
  let remembered = await rememberedMark(store, url);
  if (remembered === undefined) {
    await nas.initMarker();
    const mark = await markOf(nas);
    await store.transaction("nas-known", (tx) => remember(tx, url, mark, store.clock.now()));
    // Another process may have been first.
    remembered = await rememberedMark(store, url);
  }
  if ((await markOf(nas)) === remembered) return;
  const reason = { en: `its ${MARKER} is not the one it had`, ko: `${MARKER} 파일이 전과 다릅니다` };
  throw new StorageError("NOT_MOUNTED", { place: nas.place, reason });
}

/** Makes this the known NAS, on the decision of a person: creates a marker if it has none, and remembers it. */
export async function initNas(store: Store, url: string, actor: string): Promise<void> {
  const nas = await openStorage(url, { marker: true });
  try {
    await nas.initMarker();
    const marker = await markOf(nas);
    await store.transaction("nas-init", async (tx) => {
      const known = await knownNas(tx, url);
      const before = known?.marker;
      await tx.query(
        `insert into vault_nas (url, marker, known_at) values ($1, $2, $3)
on conflict (url) do update set marker = excluded.marker`,
        [known?.url ?? nasAddress(url), marker, store.clock.now()],
      );
      await tx.addAudit({
        actor,
        action: "nas.init",
        target: `nas:${nas.place}`,
        reason: null,
        before: before === undefined ? null : { marker: before },
        after: { marker },
      });
    });
  } finally {
    await nas.close();
  }
}

export async function rememberedMark(rows: Pick<Tx, "query">, url: string): Promise<string | undefined> {
  return (await knownNas(rows, url))?.marker;
}

interface NasRow {
  readonly url: string;
  readonly marker: string;
}

/**
 * Compares canonical addresses, because the same address can be written in different ways. The table has one row for
 * each NAS that was ever used.
 */
async function knownNas(rows: Pick<Tx, "query">, url: string): Promise<NasRow | undefined> {
  const address = nasAddress(url);
  const all = await rows.query<NasRow & { since: number }>(
    "select url, marker, known_at as since from vault_nas",
  );
  return all.sort((a, b) => a.since - b.since).find((row) => nasAddress(row.url) === address);
}

async function remember(tx: Tx, url: string, mark: string, now: number): Promise<void> {
  await tx.query(
    "insert into vault_nas (url, marker, known_at) values ($1, $2, $3) on conflict (url) do nothing",
    [nasAddress(url), mark, now],
  );
}

/** Without the login: the NAS stays the same if the login changes, and the store must not contain a password. */
export function nasAddress(url: string): string {
  return addressOf(url.replace(/^([a-z]+:\/\/)[^/]*@/i, "$1"));
}

const LOOKS = 20;

/** The content of the marker; empty if there is none. Waits while another process may be writing it. */
export async function markOf(nas: Storage): Promise<string> {
  for (let look = 1; ; look++) {
    if (!(await nas.stat(MARKER))) return "";
    const mark = (await text((await nas.get(MARKER)).stream)).trim();
    if (mark !== "" || look === LOOKS) return mark;
    await pause(50);
  }
}
