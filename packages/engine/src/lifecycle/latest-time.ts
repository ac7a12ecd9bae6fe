/** The last millisecond that a `Date` can name; what lies beyond fits no store either. */
export const LATEST_TIME = 8.64e15;
