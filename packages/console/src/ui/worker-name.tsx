const SHORT = 8;

/** A worker by the end of its id, because ids created at about the same time begin with the same characters. */
export function WorkerName({ id }: { id: string }) {
  return (
    <span className="text-xs whitespace-nowrap text-soft" title={id}>
      {id.length > 2 * SHORT ? `…${id.slice(-SHORT)}` : id}
    </span>
  );
}
