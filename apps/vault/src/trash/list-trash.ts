import { iso } from "@andon/contract";
import type { Store } from "@andon/engine";
import { countRows, type Listing, type PageRequest, pageOf, rowsOf } from "../bounded-list.ts";
import { type Owner, ofOrganization } from "../owner.ts";
import { TRASH_COLUMNS, type Trashed } from "./trash-row.ts";

/** The items in the trash, earliest expiry first. */
export async function listTrash(store: Store, owner: Owner, request: PageRequest) {
  const own = ofOrganization(owner, [owner.tenantId]);
  const listing: Listing = {
    candidates: `select ${TRASH_COLUMNS} from trash_metadata where tenant_id = $1${own.sql}`,
    params: own.params,
    order: '"expiresAt", "itemId"',
  };
  const counted = await countRows(store, listing);
  const offset = (request.page - 1) * request.limit;
  const items = await rowsOf<Trashed>(store, listing, { offset, limit: request.limit });
  return pageOf(
    request,
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
