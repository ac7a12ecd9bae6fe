import type { Store } from "@andon/engine";
import { countRows, type Listing, type PageRequest, pageOf, rowsOf } from "../bounded-list.ts";
import { type Owner, ofOrganization } from "../owner.ts";
import { type Availability, fileEntries } from "./entries.ts";
import { FILE_COLUMNS, type File } from "./file-row.ts";

const LISTED = `${FILE_COLUMNS}, sort_name as "sortName"`;
const ORDER = '"sortName", id';

export interface FilesRequest extends PageRequest {
  readonly text?: string | undefined;
  readonly availabilityStatus?: Availability | undefined;
}

/** The files in one folder, as candidates of a list. */
export function filesIn(owner: Owner, folderId: string, text: string | undefined): Listing {
  const own = ofOrganization(owner, [owner.tenantId, folderId]);
  return {
    candidates: `select ${LISTED} from files
where tenant_id = $1 and folder_id = $2 and state = 'ACTIVE'${own.sql}`,
    params: own.params,
    order: ORDER,
    text,
  };
}

export async function listFiles(store: Store, owner: Owner, request: FilesRequest) {
  const { page, limit } = request;
  const listing = request.availabilityStatus ? withStatus(owner, request) : allFiles(owner, request);
  const counted = await countRows(store, listing);
  const files = await rowsOf<File>(store, listing, { offset: (page - 1) * limit, limit });
  return pageOf(request, counted, await fileEntries(store, owner.tenantId, files));
}

function allFiles(owner: Owner, { text }: FilesRequest): Listing {
  const own = ofOrganization(owner, [owner.tenantId]);
  return {
    candidates: `select ${LISTED} from files where tenant_id = $1 and state = 'ACTIVE'${own.sql}`,
    params: own.params,
    order: ORDER,
    text,
  };
}

/** Starts from the files with the status, so that a few failed files are found among millions of others. */
function withStatus(owner: Owner, { text, availabilityStatus }: FilesRequest): Listing {
  const own = ofOrganization(owner, [owner.tenantId, availabilityStatus]);
  return {
    candidates: `select ${LISTED} from files where tenant_id = $1 and state = 'ACTIVE' and id in (
  select file_id from file_storage_objects where storage_type = 'NAS' and availability_status = $2
)${own.sql}`,
    params: own.params,
    order: ORDER,
    isUnordered: true,
    text,
  };
}
