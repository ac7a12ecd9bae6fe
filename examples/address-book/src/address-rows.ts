import type { Store, Tx } from "@andon/engine";

export interface Address {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly state: "NEW" | "CHECKED";
}

/** False if the tenant already has this e-mail address. */
export async function insertAddress(tx: Tx, tenantId: string, address: Address): Promise<boolean> {
  const { id, name, email, state } = address;
  const inserted = await tx.query(
    `insert into addresses (id, tenant_id, name, email, state) values ($1, $2, $3, $4, $5)
     on conflict do nothing returning id`,
    [id, tenantId, name, email, state],
  );
  return inserted.length > 0;
}

export async function markChecked(tx: Tx, id: string): Promise<void> {
  await tx.query("update addresses set state = 'CHECKED' where id = $1", [id]);
}

/** Addresses of one tenant by name. */
export async function listAddresses(
  store: Store,
  tenantId: string,
  { page, limit }: { page: number; limit: number },
): Promise<{ total: number; page: number; limit: number; items: Address[] }> {
  const [count] = await store.query<{ total: number }>(
    "select count(*) as total from addresses where tenant_id = $1",
    [tenantId],
  );
  const items = await store.query<Address>(
    `select id, name, email, state from addresses where tenant_id = $1
     order by name, id limit $2 offset $3`,
    [tenantId, limit, (page - 1) * limit],
  );
  return { total: Number(count?.total ?? 0), page, limit, items };
}
