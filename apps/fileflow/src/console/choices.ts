/** The values that the search line offers for a filter: codes with their names. */
export const choices = <Code extends string>(codes: readonly Code[], names: Readonly<Record<Code, string>>) =>
  codes.map((value) => ({ value, label: names[value] }));
