/** The owner of items: a tenant, or one organisation in it. */
export interface Owner {
  readonly tenantId: string;
  /** Null: the items of all organisations. */
  readonly organizationId: string | null;
}

/**
 * The condition for the organisation, after that of the tenant; its parameter follows `params`. Empty without an
 * organisation.
 */
export function ofOrganization(
  { organizationId }: Pick<Owner, "organizationId">,
  params: readonly unknown[],
  column = "organization_id",
): { sql: string; params: unknown[] } {
  if (organizationId === null) return { sql: "", params: [...params] };
  return { sql: ` and ${column} = $${params.length + 1}`, params: [...params, organizationId] };
}
