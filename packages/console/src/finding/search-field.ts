/** A known value of a field, and its label. */
interface SearchValue {
  readonly value: string;
  readonly label: string;
}

/** One filter of a list in the search line. */
export interface SearchField {
  /** Its name in the address. */
  readonly name: string;
  /** Its name when typed, such as `queue` in `queue:mail`. */
  readonly term: string;
  readonly label: string;
  readonly hint: string;
  /** `choice` allows only one of its values. */
  readonly kind: "choice" | "text" | "time";
  readonly values?: readonly SearchValue[];
  /** Its values are also suggested for a word without a term. */
  readonly isOffered?: boolean;
  /** Tabs show its value, so it needs no chip. */
  readonly hasTabs?: boolean;
  /** Words without a term are its value. Only one field of a list has this. */
  readonly isText?: boolean;
}
