/** The values of a filter, as the search line offers them: by their code, with their name. */
export const choices = <Code extends string>(codes: readonly Code[], names: Readonly<Record<Code, string>>) =>
  codes.map((value) => ({ value, label: names[value] }));
