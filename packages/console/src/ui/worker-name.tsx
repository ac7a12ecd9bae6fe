const SHORT = 8;

/** Which worker it is: the end of its id, since ids that were made about the same time begin alike. */
export function WorkerName({ id }: { id: string }) {
  return (
    <span className="text-xs whitespace-nowrap text-soft" title={id}>
      {id.length > 2 * SHORT ? `…${id.slice(-SHORT)}` : id}
    </span>
  );
}
