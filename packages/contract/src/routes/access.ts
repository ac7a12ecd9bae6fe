import * as z from "zod";
import { route } from "./route.ts";
import {
  isNotBlank,
  NOT_BLANK,
  optionalReason,
  organizationId,
  pageOf,
  pageQuery,
  reason,
  text,
  time,
} from "./wire.ts";

const permission = text(100);

/** Letters, digits and a few signs. The audit log shows the name in brackets: without brackets in it, it cannot end them early. */
const PERSON = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} .,'’_@-]*$/u;
const NOT_PERSON = {
  params: {
    en: "use letters, digits, spaces and . , ' _ @ -, beginning with a letter or digit",
    ko: "글자, 숫자, 공백과 . , ' _ @ - 만 쓸 수 있고 글자나 숫자로 시작해야 합니다",
  },
};
/** A key name that ends with `)` could look like another key with a person's name in brackets. */
const isNoPerson = (name: string) => !/\)\s*$/.test(name);
const LIKE_PERSON = {
  params: {
    en: "it must not end with `)`: a person's name stands there in the audit log",
    ko: "`)`로 끝날 수 없습니다. 감사 로그에서 사람의 이름이 놓이는 자리입니다",
  },
};

const key = z.strictObject({
  id: z.string(),
  name: z.string(),
  permissions: z.array(permission),
  tenantId: z.string().nullable(),
  organizationId: z.string().nullable(),
  createdAt: time,
  createdBy: z.string(),
  expiresAt: time.nullable(),
  revokedAt: time.nullable(),
  lastUsedAt: time.nullable().describe("To the minute."),
});

export const keyRoutes = {
  create: route({
    method: "POST",
    path: "/admin/keys",
    access: "admin",
    summary: "Creates an API key within the caller's scope. Its token is shown in this answer only.",
    status: 201,
    body: z.strictObject({
      name: text(200)
        .refine(isNotBlank, NOT_BLANK)
        .refine(isNoPerson, LIKE_PERSON)
        .describe("Its name; the audit log shows it as `key:<name>`."),
      permissions: z.array(permission).min(1).describe("The permissions it holds: see the guide on access."),
      tenantId: text(200)
        .optional()
        .describe("Limits it to this tenant. Default: the caller's, else all tenants."),
      organizationId: organizationId
        .optional()
        .describe(
          "Limits it to this organisation of the tenant: text or a whole number, kept as text. Default: the caller's, else all.",
        ),
      expiresAt: time.optional().describe("When it expires. Default: never."),
      reason: reason.optional(),
    }),
    answer: key.extend({ token: z.string() }),
    errors: ["PP-403-SCOPE"],
  }),
  list: route({
    method: "GET",
    path: "/admin/keys",
    access: "admin",
    summary: "API keys within the caller's scope, newest first; never their tokens.",
    query: pageQuery,
    answer: pageOf(key),
  }),
  revoke: route({
    method: "DELETE",
    path: "/admin/keys/:id",
    access: "admin",
    summary: "Revokes an API key at once.",
    params: z.strictObject({ id: text(100) }),
    answer: key,
    errors: ["KEY_NOT_FOUND"],
  }),
  permissions: route({
    method: "GET",
    path: "/admin/permissions",
    access: "admin",
    summary: "Every permission that a key may hold, with the app that it belongs to.",
    answer: z.strictObject({
      items: z.array(
        z.strictObject({ name: z.string(), app: z.string().nullable().describe("Null: the core itself.") }),
      ),
    }),
  }),
};

const session = z.strictObject({
  id: z.string(),
  actor: z.string(),
  permissions: z.array(permission),
  tenantId: z.string().nullable(),
  organizationId: z.string().nullable(),
  keyId: z.string().nullable().describe("The key it was made from. Null: the admin key, a link or a JWT."),
  createdAt: time,
  expiresAt: time,
  isOwn: z.boolean().describe("Whether it is the caller's own."),
});

export const loginRoutes = {
  list: route({
    method: "GET",
    path: "/admin/sessions",
    access: "admin",
    reach: "whole",
    summary: "Open logins of the console, newest first.",
    query: pageQuery,
    answer: pageOf(session),
  }),
  end: route({
    method: "DELETE",
    path: "/admin/sessions/:id",
    access: "admin",
    reach: "whole",
    summary: "Ends a login at once.",
    params: z.strictObject({ id: text(100) }),
    answer: session,
    errors: ["SESSION_NOT_FOUND"],
  }),
  endOthers: route({
    method: "DELETE",
    path: "/admin/sessions",
    access: "admin",
    reach: "whole",
    summary: "Ends all logins but the caller's own.",
    answer: z.strictObject({ ended: z.number().int() }),
  }),
};

const me = z.strictObject({
  actor: z.string(),
  permissions: z.array(permission),
  tenantId: z.string().nullable(),
  organizationId: z.string().nullable(),
  name: z.string().nullable().describe("The name that the person behind this login has given; null: none."),
  canBeNamed: z
    .boolean()
    .describe("Whether `PUT /me/name` works: for a login with the admin token, a link or an API key."),
});

export const sessionRoutes = {
  login: route({
    method: "POST",
    path: "/login",
    access: "public",
    summary: "Exchanges a one-use code, or a token, for a session cookie, which lasts 12 hours at most.",
    // Anybody may call this route: it accepts no more than a token needs.
    largestBody: 16_384,
    body: z.union([
      z.strictObject({ code: text(200).describe("The code of a login link.") }),
      z.strictObject({
        token: z.string().min(1).max(10_000).describe("The admin token, an API key or a JWT."),
      }),
    ]),
    answer: me.extend({ expiresAt: time }),
    errors: ["LOGIN_FAILED", "LOGIN_SLOWED"],
  }),
  logout: route({
    method: "POST",
    path: "/logout",
    access: "signed-in",
    summary: "Ends the session.",
    answer: z.strictObject({ success: z.literal(true) }),
  }),
  me: route({
    method: "GET",
    path: "/me",
    access: "signed-in",
    summary: "The caller: actor, permissions and scope; and the apps that run here.",
    answer: me.extend({ apps: z.array(z.string()).describe("Names of the apps that this server runs.") }),
  }),
  name: route({
    method: "PUT",
    path: "/me/name",
    access: "signed-in",
    summary:
      "Names the person behind this login: the audit log then shows `admin (Minji)`. It changes no permission, and proves nothing.",
    body: z.strictObject({
      name: z
        .string()
        .trim()
        .max(60)
        .refine((name) => PERSON.test(name), NOT_PERSON)
        .nullable()
        .describe("At most 60 characters. Null removes the name."),
    }),
    answer: me,
    errors: ["LOGIN_NOT_NAMED"],
  }),
  link: route({
    method: "POST",
    path: "/admin/login-links",
    access: "admin",
    reach: "whole",
    summary: "Creates a link to the console with a one-use code, valid for 15 minutes.",
    status: 201,
    body: optionalReason,
    answer: z.strictObject({ url: z.string(), expiresAt: time }),
  }),
};
