import { type App, type AppQueue, type AppSite, defineApp, type ServeAll } from "@andon/app";
import { commit, newId, Unretryable } from "@andon/engine";
import { insertAddress, listAddresses, markChecked } from "./address-rows.ts";
import { ADDRESS_ERRORS, AddressError } from "./contract/errors.ts";
import { ADDRESS_ROUTES } from "./contract/routes.ts";
import { ADDRESS_SETTINGS, type AddressSettings } from "./contract/settings.ts";

const QUEUE = "address-checks";

interface Check {
  readonly id: string;
  readonly email: string;
}

/** An address book. Each new address is checked by a job that is added in the same transaction as its row. */
export function addressBook(): App<typeof ADDRESS_ROUTES> {
  let settings: AddressSettings | undefined;
  return defineApp({
    name: "address-book",
    settings: ADDRESS_SETTINGS,
    migrations: new URL("../migrations/", import.meta.url),
    permissions: ["addresses.read", "addresses.write"],
    errors: ADDRESS_ERRORS,
    async open(host) {
      settings = host.settings["address-book"] as AddressSettings;
    },
    queues: () => ({ [QUEUE]: checkQueue(() => settings?.refusedDomains ?? []) }),
    routes: ADDRESS_ROUTES,
    serve: (site) => serveAddresses(site),
  });
}

function checkQueue(refusedDomains: () => readonly string[]): AppQueue {
  return {
    rules: { attempts: 3 },
    handler: async ({ payload }: { payload: Check }) => {
      const domain = payload.email.split("@")[1] ?? "";
      if (refusedDomains().includes(domain)) throw new Unretryable(`${domain} takes no mail`);
      return commit((tx) => markChecked(tx, payload.id));
    },
    describe: (job) => {
      const { id, email } = job.payload as Check;
      return {
        aggregateType: "ADDRESS",
        aggregateId: id,
        eventType: "CHECK",
        name: email,
        data: job.payload,
      };
    },
  };
}

function serveAddresses({ andon, queue }: AppSite): ServeAll<typeof ADDRESS_ROUTES> {
  const tenantOf = (call: { principal: { tenantId: string | null } }) => call.principal.tenantId ?? "default";
  return {
    addresses: {
      list: (call) => listAddresses(andon.store, tenantOf(call), call.query),
      add: async (call) => {
        const tenantId = tenantOf(call);
        const address = { id: newId(Date.now()), ...call.body, state: "NEW" as const };
        await andon.store.transaction("address-add", async (tx) => {
          if (!(await insertAddress(tx, tenantId, address)))
            throw new AddressError("ADDRESS_TAKEN", { email: address.email });
          await queue(QUEUE).add({ id: address.id, email: address.email }, { tx, tenant: tenantId });
        });
        return address;
      },
    },
  };
}
