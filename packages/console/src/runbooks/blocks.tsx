import type { ReactNode } from "react";
import { CopyButton } from "../ui/copy.tsx";
import { Link } from "../ui/link.tsx";
import type { Block } from "./markdown.ts";
import { runbookName, runbookPath } from "./pages.ts";

/** Parts of a runbook, in order. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a page's parts never move
    <BlockView key={index} block={block} />
  ));
}

function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "heading":
      return <h2 className="mt-4 text-lg font-semibold first:mt-0">{inline(block.text)}</h2>;
    case "text":
      return <p className="text-soft">{inline(block.text)}</p>;
    case "code":
      return <Code text={block.text} />;
    case "table":
      return <Rows head={block.head} rows={block.rows} />;
    case "list": {
      const List = block.isNumbered ? "ol" : "ul";
      return (
        <List className={`flex flex-col gap-2 pl-6 ${block.isNumbered ? "list-decimal" : "list-disc"}`}>
          {block.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a page's parts never move
            <li key={index} className="[&>*+*]:mt-2">
              <Blocks blocks={item} />
            </li>
          ))}
        </List>
      );
    }
  }
}

/** A command with a copy button. */
function Code({ text }: { text: string }) {
  return (
    <div className="flex items-start gap-1 rounded-md border border-line bg-ground py-1 pr-1 pl-3">
      <pre className="min-w-0 flex-1 py-1.5 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap">
        {text}
      </pre>
      <CopyButton text={text} />
    </div>
  );
}

function Rows({ head, rows }: { head: readonly string[]; rows: readonly (readonly string[])[] }) {
  return (
    <table className="w-full border-collapse text-left">
      <thead>
        <tr className="text-xs text-faint">
          {head.map((cell) => (
            <th key={cell} scope="col" className="border-b border-line px-2 py-1.5 font-medium">
              {cell}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.join()} className="border-b border-line align-top">
            {row.map((cell, index) => (
              <td key={head[index]} className="px-2 py-1.5 break-words">
                {inline(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const INLINE = /(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/;

/** Renders code, bold words, and links to other runbooks. Other links of the documentation are rendered as text. */
function inline(text: string): ReactNode[] {
  return text.split(INLINE).map((part, index) => {
    const key = `${index} ${part}`;
    if (part.startsWith("`"))
      return (
        <code key={key} className="rounded-xs bg-raised px-1 font-mono text-xs text-ink wrap-anywhere">
          {part.slice(1, -1)}
        </code>
      );
    if (part.startsWith("**"))
      return (
        <strong key={key} className="font-semibold text-ink">
          {part.slice(2, -2)}
        </strong>
      );
    const [, words, address] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    if (words === undefined) return part;
    if (/^https?:/.test(address ?? ""))
      return (
        <a key={key} href={address} target="_blank" rel="noreferrer" className="text-accent underline">
          {words}
        </a>
      );
    const name = runbookName(`docs/en/runbooks/${address}`);
    return name ? (
      <Link key={key} to={runbookPath(name)}>
        {words}
      </Link>
    ) : (
      words
    );
  });
}
