/** The signal tower of a production line: red above yellow above green. */
export function Logo() {
  return (
    <svg viewBox="0 0 20 28" width="14" height="20" aria-hidden="true" className="shrink-0">
      <rect x="7" y="23" width="6" height="5" rx="1" className="fill-line-strong" />
      <path d="M4 8V3a3 3 0 0 1 3-3h6a3 3 0 0 1 3 3v5z" className="fill-stop" />
      <path d="M4 8.75h12v6.5H4z" className="fill-warn" />
      <path d="M4 16h12v5a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z" className="fill-run" />
    </svg>
  );
}
