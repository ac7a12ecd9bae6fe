/** The last millisecond that a `Date` can represent. */
export const LATEST_TIME = 8.64e15;
