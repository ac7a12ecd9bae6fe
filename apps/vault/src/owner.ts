/** Whose things are meant: all of a tenant, or those of one organisation of it. */
export interface Owner {
  readonly tenantId: string;
  /** Null: whatever organisation they are of. */
  readonly organizationId: string | null;
}

/** The condition beside that of the tenant, with its parameter as the next one after these. Without an organisation there is none. */
export function ofOrganization(
  { organizationId }: Pick<Owner, "organizationId">,
  params: readonly unknown[],
  column = "organization_id",
): { sql: string; params: unknown[] } {
  if (organizationId === null) return { sql: "", params: [...params] };
  return { sql: ` and ${column} = $${params.length + 1}`, params: [...params, organizationId] };
}
