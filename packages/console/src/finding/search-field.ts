/** A value that a field is known to have, and what readers call it. */
interface SearchValue {
  readonly value: string;
  readonly label: string;
}

/** One filter of a list, as the search line shows and understands it. */
export interface SearchField {
  /** Its name in the address. */
  readonly name: string;
  /** What it is called where it is typed, such as `queue` in `queue:mail`. */
  readonly term: string;
  readonly label: string;
  readonly hint: string;
  /** `choice`: one of its values and nothing else. */
  readonly kind: "choice" | "text" | "time";
  readonly values?: readonly SearchValue[];
  /** Its values are also offered for a word that no term was typed for. */
  readonly isOffered?: boolean;
  /** Tabs show what it is set to, so that it needs no chip. */
  readonly hasTabs?: boolean;
  /** Words without a term are its value; one field of a list has them. */
  readonly isText?: boolean;
}
