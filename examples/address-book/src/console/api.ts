import { clientFor, keepPreviousData } from "@andon/console/room";
import { ADDRESS_ROUTES } from "../contract/routes.ts";

export const addresses = clientFor(ADDRESS_ROUTES);

/** The key begins with the app's name, so every event of the app's queue refreshes the list. */
export const listQuery = (page: number) => ({
  placeholderData: keepPreviousData,
  queryKey: ["address-book", page],
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    addresses().addresses.list({ page, limit: 50 }, { signal }),
});
