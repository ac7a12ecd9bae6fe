const MOST_WHOLE = 28;

/** The name of a queue, an operation or a person, on one line unless it is too long. */
export function Name({ children }: { children: string }) {
  const isWhole = children.length <= MOST_WHOLE;
  return <span className={isWhole ? "whitespace-nowrap" : "wrap-anywhere"}>{children}</span>;
}
