import type { Store } from "@andon/engine";
import { countRows, type Listing, type PageWish, pageOf, rowsOf } from "../bounded-list.ts";
import { type Availability, fileEntries } from "./entries.ts";
import { FILE_COLUMNS, type File } from "./file-row.ts";

const LISTED = `${FILE_COLUMNS}, sort_name as "sortName"`;
const ORDER = '"sortName", id';

export interface FilesWish extends PageWish {
  readonly text?: string | undefined;
  readonly availabilityStatus?: Availability | undefined;
}

/** The files in one folder, as candidates of a list. */
export function filesIn(tenantId: string, folderId: string, text: string | undefined): Listing {
  return {
    candidates: `select ${LISTED} from files
where tenant_id = $1 and folder_id = $2 and state = 'ACTIVE'`,
    params: [tenantId, folderId],
    order: ORDER,
    text,
  };
}

export async function listFiles(store: Store, tenantId: string, wish: FilesWish) {
  const { page, limit } = wish;
  const listing = wish.availabilityStatus ? withStatus(tenantId, wish) : allFiles(tenantId, wish);
  const counted = await countRows(store, listing);
  const files = await rowsOf<File>(store, listing, { offset: (page - 1) * limit, limit });
  return pageOf(wish, counted, await fileEntries(store, tenantId, files));
}

function allFiles(tenantId: string, { text }: FilesWish): Listing {
  return {
    candidates: `select ${LISTED} from files where tenant_id = $1 and state = 'ACTIVE'`,
    params: [tenantId],
    order: ORDER,
    text,
  };
}

/** From the files that have the status: a few that failed are found among millions that did not. */
function withStatus(tenantId: string, { text, availabilityStatus }: FilesWish): Listing {
  return {
    candidates: `select ${LISTED} from files where tenant_id = $1 and state = 'ACTIVE' and id in (
  select file_id from file_storage_objects where storage_type = 'NAS' and availability_status = $2
)`,
    params: [tenantId, availabilityStatus],
    order: ORDER,
    isUnordered: true,
    text,
  };
}
