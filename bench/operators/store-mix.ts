/** The queue behind the short paths of the operator API. Its jobs fill the stores. */
export const QUEUE = "nas-sync";

/** How many of every thousand jobs end in each state, and the other rows of the store. */
export interface Mix {
  done: number;
  failed: number;
  resolved: number;
  ready: number;
  laned: number;
  scheduled: number;
  cancelled: number;
  /** Past alerts per thousand jobs. */
  alerts: number;
  /** The number of tenants that own the jobs: `tenant-0` and so on. */
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
 * A mix for a thousand jobs of one tenant that fills a page of every list. So both stores answer with lists of the same
 * length, and a call that reads up to a thousand jobs of one tenant reads as many in both.
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
