/** The queue of the operator API's short paths: stores are filled with its jobs. */
export const QUEUE = "nas-sync";

/** What becomes of every thousand jobs of a store, and what else is in it. */
export interface Mix {
  done: number;
  failed: number;
  resolved: number;
  ready: number;
  laned: number;
  scheduled: number;
  cancelled: number;
  /** Past alerts, for every thousand jobs too. */
  alerts: number;
  /** Whose jobs they are: `tenant-0` and so on. */
  tenants: number;
}

/** A store after a long time of work. */
export const LONG_LIFE: Mix = {
  done: 700,
  failed: 30,
  resolved: 20,
  ready: 80,
  laned: 100,
  scheduled: 50,
  cancelled: 20,
  alerts: 30,
  tenants: 20,
};

/**
 * A thousand jobs, all of one tenant, of which every list has a full page: so both stores answer at the same length, and
 * a look at a thousand jobs of a tenant is one in both.
 */
export const FULL_PAGES: Mix = {
  done: 320,
  failed: 300,
  resolved: 60,
  ready: 80,
  laned: 120,
  scheduled: 60,
  cancelled: 60,
  alerts: 60,
  tenants: 1,
};
