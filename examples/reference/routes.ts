/** Renders the routes of a table as sections of docs/{en,ko}/reference/api.md. */
import { code, type Language, rowsOf, table } from "./pages.ts";

/** The part of a JSON Schema that a page shows. */
interface Json {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly default?: unknown;
  readonly description?: string;
  readonly items?: Json;
  readonly properties?: Record<string, Json>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Json[];
}
interface Schema {
  toJSONSchema(options: { io: "input"; unrepresentable: "any" }): unknown;
}
/** The properties of a route that a page shows. */
export interface ShownRoute {
  readonly method: string;
  readonly path: string;
  readonly belowAlias?: string;
  readonly access: string;
  readonly reach: "own" | "whole";
  readonly summary: string;
  readonly status?: number;
  readonly accepted?: Schema;
  readonly query: Schema;
  readonly body?: Schema;
  readonly takes?: "multipart" | "items" | "text";
  readonly media?: string;
  readonly errors?: readonly string[];
}

/** The short paths of one queue. */
const ALIAS = "/admin/queue";

const WORDS = {
  en: {
    head: ["member", "in", "meaning", "type", "default"],
    also: "Also",
    access: { public: "No token.", "signed-in": "Any token." } as Record<string, string>,
    permission: (name: string) => `Permission ${code(name)}.`,
    whole: "Not for keys with a scope.",
    answers: (status: number, media?: string) => `Answers ${status}${media ? ` as ${code(media)}` : ""}.`,
    accepted: "Where it takes longer than 2 seconds: 202 with `operationId total done`.",
    heldBack: "With `decisions.undoWindow`: 202 with `pendingDecision`.",
    takes: {
      multipart: "Takes `multipart/form-data`.",
      items: "Takes a JSON array, or NDJSON (`application/x-ndjson`).",
      text: "Takes JSON.",
    },
    errors: "Errors",
    required: "required",
    types: {
      string: "text",
      integer: "whole number",
      number: "number",
      boolean: "`true` or `false`",
      null: "`null`",
    },
    time: "time",
    list: (of: string) => `list of ${of}`,
    object: "object",
    any: "any JSON",
    or: " or ",
  },
  ko: {
    head: ["항목", "위치", "뜻", "형식", "기본값"],
    also: "짧은 경로",
    access: { public: "토큰이 필요 없습니다.", "signed-in": "토큰이면 됩니다." } as Record<string, string>,
    permission: (name: string) => `권한 ${code(name)}.`,
    whole: "범위가 있는 키는 쓸 수 없습니다.",
    answers: (status: number, media?: string) => `성공하면 ${status}${media ? `, ${code(media)}` : ""}.`,
    accepted: "2초 넘게 걸리면 202와 `operationId total done`.",
    heldBack: "`decisions.undoWindow`를 설정하면 202와 `pendingDecision`.",
    takes: {
      multipart: "본문은 `multipart/form-data`입니다.",
      items: "본문은 JSON 배열 또는 NDJSON(`application/x-ndjson`)입니다.",
      text: "본문은 JSON입니다.",
    },
    errors: "오류",
    required: "필수",
    types: {
      string: "문자열",
      integer: "정수",
      number: "숫자",
      boolean: "`true` 또는 `false`",
      null: "`null`",
    },
    time: "시각",
    list: (of: string) => `목록(${of})`,
    object: "객체",
    any: "모든 JSON",
    or: " 또는 ",
  },
};

const titleOf = ({ method, path }: ShownRoute) => `${method} ${path}`;

/** One section per route. In Korean pages the summaries and descriptions are kept. */
export function renderRoutes(routes: readonly ShownRoute[], language: Language, now: string): string {
  const kept = language === "en" ? new Map<string, Section>() : sectionsOf(now);
  return routes.map((route) => sectionOf(route, language, kept.get(titleOf(route)))).join("\n\n");
}

/** Whether the 202 of a route announces a held decision, and not work that takes long. */
function isHeldBack(accepted: Schema): boolean {
  const { properties = {} } = accepted.toJSONSchema({ io: "input", unrepresentable: "any" }) as Json;
  return "pendingDecision" in properties;
}

function sectionOf(route: ShownRoute, language: Language, kept: Section | undefined): string {
  const words = WORDS[language];
  const facts = [
    ...(route.belowAlias === undefined
      ? []
      : [`${words.also}: ${code(`${route.method} ${ALIAS}${route.belowAlias}`)}.`]),
    words.access[route.access] ?? words.permission(route.access),
    ...(route.reach === "whole" ? [words.whole] : []),
    ...(route.takes ? [words.takes[route.takes]] : []),
    words.answers(route.status ?? 200, route.media),
    ...(route.accepted ? [isHeldBack(route.accepted) ? words.heldBack : words.accepted] : []),
    ...(route.errors?.length ? [`${words.errors}: ${[...new Set(route.errors)].map(code).join(", ")}.`] : []),
  ];
  const rows = [...membersOf("query", route.query, language), ...membersOf("body", route.body, language)];
  const translated = rows.map((row) =>
    row.with(2, kept?.meanings.get(row[0] as string) ?? (row[2] as string)),
  );
  return [
    `### ${titleOf(route)}`,
    kept?.summary ?? route.summary,
    facts.join(" "),
    ...(rows.length > 0 ? [table(words.head, translated)] : []),
  ].join("\n\n");
}

interface Section {
  readonly summary: string;
  readonly meanings: ReadonlyMap<string, string>;
}

/** The sections of a rendered text, by title. */
export function sectionsOf(text: string): Map<string, Section> {
  const sections = text.split(/^### (?=[A-Z]+ \/)/m).slice(1);
  return new Map(
    sections.map((section) => {
      const [title = "", , summary = ""] = section.split("\n");
      const meanings = new Map([...rowsOf(section)].map(([name, row]) => [name, row[2] as string]));
      return [title, { summary, meanings }];
    }),
  );
}

function membersOf(place: "query" | "body", schema: Schema | undefined, language: Language): string[][] {
  if (!schema) return [];
  const json = schema.toJSONSchema({ io: "input", unrepresentable: "any" }) as Json;
  // If one of several shapes is accepted, no member is required by itself.
  const shapes = json.anyOf?.map((shape) => ({ ...shape, required: [] })) ?? [json];
  return shapes.flatMap((shape) => rowsOfShape(shape, place, language));
}

function rowsOfShape(shape: Json, place: string, language: Language, prefix = ""): string[][] {
  const words = WORDS[language];
  return Object.entries(shape.properties ?? {}).flatMap(([name, member]) => {
    const preset = member.default === undefined ? "" : code(JSON.stringify(member.default));
    const row = [
      code(prefix + name),
      place,
      member.description ?? "",
      typeOf(member, language),
      shape.required?.includes(name) ? words.required : preset,
    ];
    return [row, ...rowsOfShape(member, place, language, `${prefix}${name}.`)];
  });
}

function typeOf(schema: Json, language: Language): string {
  const words = WORDS[language];
  if (schema.enum) return schema.enum.map(code).join(", ");
  if (schema.anyOf) return schema.anyOf.map((option) => typeOf(option, language)).join(words.or);
  if (schema.format === "date-time") return words.time;
  if (schema.items) return words.list(typeOf(schema.items, language));
  if (schema.type === "object") return words.object;
  return words.types[schema.type as keyof typeof words.types] ?? words.any;
}
