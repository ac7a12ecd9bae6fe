import type { Readable } from "node:stream";
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";

/** What a server says of one resource. */
export interface Resource {
  /** As it comes: a path or a whole URL, escaped. */
  readonly href: string;
  readonly isFolder: boolean;
  readonly size: number | undefined;
  readonly modifiedAt: number;
  /** Bytes that can still be stored, where it was asked and is known. */
  readonly quota: number | undefined;
}

const DAV = "DAV:";

export const PROPERTIES = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/></prop></propfind>`;

export const QUOTA = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><quota-available-bytes/></prop></propfind>`;

/** Reads the answer to a PROPFIND as it comes: a folder may have a million entries. */
export async function* readMultistatus(body: Readable): AsyncGenerator<Resource> {
  const parser = new SaxesParser({ xmlns: true });
  const reading = new ResourceReading();
  parser.on("opentag", (tag) => reading.open(tag));
  parser.on("text", (text) => reading.text(text));
  parser.on("cdata", (text) => reading.text(text));
  parser.on("closetag", (tag) => reading.close(tag));
  const decoder = new TextDecoder("utf-8");
  for await (const piece of body) {
    parser.write(decoder.decode(piece as Buffer, { stream: true }));
    yield* reading.taken();
  }
  parser.write(decoder.decode()).close();
  yield* reading.taken();
}

type Tag = Pick<SaxesTagNS, "uri" | "local"> & { attributes?: Record<string, SaxesAttributeNS> };

/** Only properties of a `propstat` that succeeded count, whether its status comes before them or after. */
class ResourceReading {
  #done: Resource[] = [];
  #text = "";
  #isIn = false;
  #href = "";
  #found: Record<string, string> = {};
  #kept: Record<string, string> = {};
  #status = "";

  open({ uri, local }: Tag): void {
    if (uri !== DAV) return;
    this.#text = "";
    if (local === "response") {
      this.#isIn = true;
      this.#href = "";
      this.#kept = {};
    } else if (local === "propstat") {
      this.#found = {};
      this.#status = "";
    } else if (local === "collection") this.#found.collection = "yes";
  }

  text(text: string): void {
    this.#text += text;
  }

  close({ uri, local }: Tag): void {
    if (uri !== DAV || !this.#isIn) return;
    if (local === "href" && this.#href === "") this.#href = this.#text.trim();
    else if (local === "status") this.#status = this.#text;
    else if (local === "propstat") {
      if (/\s2\d\d(\s|$)/.test(this.#status)) Object.assign(this.#kept, this.#found);
    } else if (local === "response") {
      this.#isIn = false;
      this.#done.push(resourceOf(this.#href, this.#kept));
    } else this.#found[local] ??= this.#text.trim();
  }

  taken(): Resource[] {
    const taken = this.#done;
    this.#done = [];
    return taken;
  }
}

function resourceOf(href: string, found: Record<string, string>): Resource {
  return {
    href,
    isFolder: found.collection === "yes",
    size: numberOf(found.getcontentlength),
    modifiedAt: Date.parse(found.getlastmodified ?? "") || 0,
    quota: numberOf(found["quota-available-bytes"]),
  };
}

/** Some servers give a negative number where there is no limit. */
function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The names of a path that a server gave; undefined for one that is no text. Nothing resolves its dots. */
export function namesOfHref(href: string): (string | undefined)[] {
  const path = href.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "").replace(/[?#].*$/, "");
  return path
    .split("/")
    .filter((name) => name !== "")
    .map((name) => {
      try {
        return decodeURIComponent(name);
      } catch {
        return undefined;
      }
    });
}
