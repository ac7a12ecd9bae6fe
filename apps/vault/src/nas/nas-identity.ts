import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import type { Store, Tx } from "@andon/engine";
import { MARKER, openStorage, type Storage, StorageError } from "@andon/storage";

/**
 * Which NAS is ours. Its root carries a marker, and the store remembers what the marker said. An unmounted share leaves
 * an unmarked folder behind, so a NAS that the store knows is never marked again by itself; one that it has never known is
 * marked on first use. Wherever that ends too early it goes on next time: a marker that is there and not remembered is
 * taken over as it is.
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

/** For a person who says that this is the NAS: marks it if it has no mark, and remembers its mark. */
export async function initNas(store: Store, url: string, actor: string): Promise<void> {
  const nas = await openStorage(url, { marker: true });
  try {
    await nas.initMarker();
    const marker = await markOf(nas);
    await store.transaction("nas-init", async (tx) => {
      const before = await rememberedMark(tx, url);
      await tx.query(
        `insert into vault_nas (url, marker, known_at) values ($1, $2, $3)
on conflict (url) do update set marker = excluded.marker`,
        [withoutLogin(url), marker, store.clock.now()],
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
  const [known] = await rows.query<{ marker: string }>("select marker from vault_nas where url = $1", [
    withoutLogin(url),
  ]);
  return known?.marker;
}

async function remember(tx: Tx, url: string, mark: string, now: number): Promise<void> {
  await tx.query(
    "insert into vault_nas (url, marker, known_at) values ($1, $2, $3) on conflict (url) do nothing",
    [withoutLogin(url), mark, now],
  );
}

/** Who logs in, and with what, may change; it is the same NAS, and the store is no place for a password. */
export function withoutLogin(url: string): string {
  return url.replace(/^([a-z]+:\/\/)[^/]*@/i, "$1");
}

const LOOKS = 20;

/** What the marker says; empty where the place keeps none. Another process may be writing it at this moment. */
export async function markOf(nas: Storage): Promise<string> {
  for (let look = 1; ; look++) {
    if (!(await nas.stat(MARKER))) return "";
    const mark = (await text((await nas.get(MARKER)).stream)).trim();
    if (mark !== "" || look === LOOKS) return mark;
    await pause(50);
  }
}
