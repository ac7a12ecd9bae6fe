import type { Readable } from "node:stream";
import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from "saxes";

/** The properties of one resource in an answer. */
export interface Resource {
  /** As the server sent it: a path or a whole URL, percent-encoded. */
  readonly href: string;
  readonly isFolder: boolean;
  readonly size: number | undefined;
  readonly modifiedAt: number;
  /** The number of bytes that can still be stored, if it was requested and the server knows it. */
  readonly quota: number | undefined;
}

const DAV = "DAV:";

export const PROPERTIES = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><getcontentlength/><getlastmodified/></prop></propfind>`;

export const QUOTA = `<?xml version="1.0" encoding="utf-8"?>
<propfind xmlns="DAV:"><prop><resourcetype/><quota-available-bytes/></prop></propfind>`;

/** Parses the answer to a PROPFIND while it arrives: a folder can have a million entries. */
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

/** Only properties of a `propstat` with a successful status count, whether the status precedes or follows them. */
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

/** Some servers send a negative number if there is no limit. */
function numberOf(text: string | undefined): number | undefined {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The names in the path of an `href`; undefined for a name that is not valid text. `.` and `..` are not resolved. */
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
