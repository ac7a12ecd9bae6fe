import { api } from "../api/client.ts";
import { queryClient } from "../api/query-client.ts";
import { forgetPages } from "../palette/recent.ts";

export async function logout(): Promise<void> {
  await api().session.logout();
  forgetPages();
  await queryClient.resetQueries();
}
