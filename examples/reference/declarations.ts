/** Reads signatures and doc comments from the sources, for docs/{en,ko}/reference/library.md. */
import { readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";

const ROOT = new URL("../../", import.meta.url);

/** A method, a member or a function: its signature and the text of its doc comment. */
export interface Declared {
  readonly signature: string;
  readonly meaning: string;
}

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

/** Declarations of one source file. */
export class Declarations {
  readonly #source: string;
  readonly #comments: readonly { type: string; value: string; start: number; end: number }[];
  readonly #top: readonly { readonly outer: Node; readonly node: Node }[];

  constructor(path: string) {
    this.#source = readFileSync(new URL(path, ROOT), "utf8");
    const { program, comments, errors } = parseSync(path, this.#source);
    if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`);
    this.#comments = comments;
    this.#top = (program.body as unknown as Node[]).map((outer) => ({
      outer,
      node: (outer.declaration as Node | null | undefined) ?? outer,
    }));
  }

  /** The doc comment of a declaration. */
  meaningOf(name: string): string {
    return this.#commentBefore(this.#named(name).outer);
  }

  /** The call signature of a function or a class. */
  callOf(name: string): Declared {
    const { outer, node } = this.#named(name);
    const meaning = this.#commentBefore(outer);
    if (node.type !== "ClassDeclaration") return { signature: this.#header(node), meaning };
    const made = (node.body as { body: Node[] }).body.find(({ kind }) => kind === "constructor");
    const params = made
      ? ((made.value as Node).params as Node[]).map((param) => this.#text(param))
      : ["message?: string"];
    return { signature: `new ${name}(${params.join(", ")})`, meaning };
  }

  /** The public members of a class or an interface. Members whose comment marks them as internal are left out. */
  membersOf(name: string): Declared[] {
    const { body } = this.#named(name).node.body as { body: readonly Node[] };
    return body.filter(isShown).flatMap((member) => {
      const meaning = this.#commentBefore(member);
      return INTERNAL.test(meaning) ? [] : [{ signature: this.#header(member), meaning }];
    });
  }

  /** A type as the source declares it. */
  typeOf(name: string): Declared {
    const { outer, node } = this.#named(name);
    return { signature: this.#text(node), meaning: this.#commentBefore(outer) };
  }

  #named(name: string): { readonly outer: Node; readonly node: Node } {
    const found = this.#top.find(({ node }) => (node.id as { name?: string } | undefined)?.name === name);
    if (!found) throw new Error(`no declaration of ${name}`);
    return found;
  }

  /** A declaration without its body, modifiers and initial value. */
  #header(node: Node): string {
    const body = ((node.value as Node | null | undefined)?.body ?? node.body) as Node | null | undefined;
    const text = body ? this.#source.slice(node.start, body.start) : this.#source.slice(node.start, node.end);
    const header = inOneLine(text).replace(MODIFIERS, "").replace(/;$/, "");
    return node.kind === "get" ? header.replace("():", ":") : header;
  }

  #text({ start, end }: Node): string {
    return inOneLine(this.#source.slice(start, end)).replace(/;$/, "");
  }

  #commentBefore({ start }: Node): string {
    const comment = this.#comments.findLast(({ end }) => end <= start);
    const isDoc = comment?.type === "Block" && comment.value.startsWith("*");
    if (!comment || !isDoc || this.#source.slice(comment.end, start).trim() !== "") return "";
    return inOneLine(comment.value.slice(1).replace(/^\s*\*/gm, " "));
  }
}

const INTERNAL = /^For the queue's handle/;
const MODIFIERS = /^((export|public|readonly|async|function|override|get) )+/;

function isShown({ type, kind, key, accessibility }: Node): boolean {
  const isPrivate = (key as Node | undefined)?.type === "PrivateIdentifier" || accessibility === "private";
  return !isPrivate && kind !== "constructor" && !/^(StaticBlock|TSIndexSignature)$/.test(type);
}

function inOneLine(text: string): string {
  return text.replace(/\s+/g, " ").replace(/\( /g, "(").replace(/,? \)/g, ")").trim();
}
