/** The queue of the operator API's short paths: stores are filled with its jobs. */
export const QUEUE = "nas-sync";

/** Whose jobs they are: `tenant-0` and so on. */
export const TENANTS = 20;
