import { iso } from "@andon/contract";
import type { Store } from "@andon/engine";
import { countRows, type Listing, type PageWish, pageOf, rowsOf } from "../bounded-list.ts";
import { TRASH_COLUMNS, type Trashed } from "./trash-row.ts";

/** What is in the trash; what expires first comes first. */
export async function listTrash(store: Store, tenantId: string, wish: PageWish) {
  const listing: Listing = {
    candidates: `select ${TRASH_COLUMNS} from trash_metadata where tenant_id = $1`,
    params: [tenantId],
    order: '"expiresAt", "itemId"',
  };
  const counted = await countRows(store, listing);
  const offset = (wish.page - 1) * wish.limit;
  const items = await rowsOf<Trashed>(store, listing, { offset, limit: wish.limit });
  return pageOf(
    wish,
    counted,
    items.map((item) => ({
      kind: item.kind,
      id: item.itemId,
      name: item.name,
      originalPath: item.originalPath,
      size: item.size,
      deletedAt: iso(item.deletedAt),
      expiresAt: iso(item.expiresAt),
    })),
  );
}
