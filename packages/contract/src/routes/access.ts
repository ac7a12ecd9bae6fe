import * as z from "zod";
import { PERMISSIONS } from "../permissions.ts";
import { route } from "./route.ts";
import { isNotBlank, NOT_BLANK, optionalReason, pageOf, pageQuery, reason, text, time } from "./wire.ts";

const key = z.strictObject({
  id: z.string(),
  name: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
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
    reach: "whole",
    summary: "Makes an API key. Its token is shown this once.",
    status: 201,
    body: z.strictObject({
      name: text(200).refine(isNotBlank, NOT_BLANK).describe("Stands in the audit log as `key:<name>`."),
      permissions: z.array(z.enum(PERMISSIONS)).min(1).describe("What it may do: see the guide on access."),
      tenantId: text(200).optional().describe("Limits it to this tenant. Default: all tenants."),
      organizationId: text(200).optional().describe("Limits it to this organisation of the tenant."),
      expiresAt: time.optional().describe("When it ends. Default: never."),
      reason: reason.optional(),
    }),
    answer: key.extend({ token: z.string() }),
  }),
  list: route({
    method: "GET",
    path: "/admin/keys",
    access: "admin",
    reach: "whole",
    summary: "API keys, newest first; never their tokens.",
    query: pageQuery,
    answer: pageOf(key),
  }),
  revoke: route({
    method: "DELETE",
    path: "/admin/keys/:id",
    access: "admin",
    reach: "whole",
    summary: "Revokes an API key at once.",
    params: z.strictObject({ id: text(100) }),
    answer: key,
    errors: ["KEY_NOT_FOUND"],
  }),
};

const me = z.strictObject({
  actor: z.string(),
  permissions: z.array(z.enum(PERMISSIONS)),
  tenantId: z.string().nullable(),
  organizationId: z.string().nullable(),
});

export const sessionRoutes = {
  login: route({
    method: "POST",
    path: "/login",
    access: "public",
    summary: "Exchanges a one-use code, or a token, for a session cookie.",
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
    summary: "Who calls, and what they may do.",
    answer: me,
  }),
  link: route({
    method: "POST",
    path: "/admin/login-links",
    access: "admin",
    reach: "whole",
    summary: "Makes a console link with a one-use code, good for 15 minutes.",
    status: 201,
    body: optionalReason,
    answer: z.strictObject({ url: z.string(), expiresAt: time }),
  }),
};
