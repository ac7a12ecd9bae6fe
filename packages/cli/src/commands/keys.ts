import { WORDS } from "../i18n/words.ts";
import { command } from "../terminal/command.ts";
import { pagingOptions } from "../terminal/common-options.ts";
import { showPage } from "../terminal/pages.ts";
import { localTime } from "../terminal/times.ts";
import { onOneLine } from "../terminal/width.ts";

export const keysList = command({
  name: "keys list",
  isDefault: true,
  says: {
    en: "Lists API keys, newest first, without their tokens",
    ko: "API 키를 최신순으로 보여 줍니다. 토큰은 보여 주지 않습니다",
  },
  example: "andon keys list",
  options: pagingOptions,
  async run({ options, client, out }) {
    showPage(out, await client.keys.list(options), [
      { head: out.say(WORDS.id), of: ({ id }) => id },
      { head: out.say(WORDS.name), of: ({ name }) => name, isLong: true },
      { head: out.say(WORDS.permissions), of: ({ permissions }) => permissions.join(", "), isLong: true },
      { head: out.say(WORDS.tenant), of: ({ tenantId }) => tenantId },
      { head: out.say(WORDS.made), of: ({ createdAt }) => localTime(createdAt) },
      { head: out.say(WORDS.expires), of: ({ expiresAt }) => expiresAt && localTime(expiresAt) },
      { head: out.say(WORDS.lastUsed), of: ({ lastUsedAt }) => lastUsedAt && localTime(lastUsedAt) },
      { head: out.say(WORDS.revoked), of: ({ revokedAt }) => revokedAt && localTime(revokedAt) },
    ]);
    return undefined;
  },
});

export const keysCreate = command({
  name: "keys create",
  says: {
    en: "Creates an API key; its token is shown once",
    ko: "API 키를 만듭니다. 토큰은 이때 한 번만 보입니다",
  },
  example: "andon keys create dashboard --permissions queue.read",
  given: { name: { says: { en: "the name of the key", ko: "키 이름" } } },
  options: {
    permissions: {
      says: {
        en: "permissions, separated by commas; `andon keys permissions` lists them",
        ko: "권한, 쉼표로 구분. 목록: `andon keys permissions`",
      },
      value: "list",
      required: true,
    },
    tenant: {
      says: {
        en: "limit it to this tenant. Default: the caller's, else all",
        ko: "이 테넌트로 제한. 기본값: 호출자의 테넌트, 없으면 전체",
      },
      value: "tenant",
    },
    organization: {
      says: {
        en: "limit it to this organisation. Default: the caller's, else all",
        ko: "이 조직으로 제한. 기본값: 호출자의 조직, 없으면 전체",
      },
      value: "organization",
    },
    expires: {
      says: {
        en: "when it expires (ISO 8601, UTC). Default: never",
        ko: "만료 시각 (ISO 8601, UTC). 기본값: 없음",
      },
      value: "time",
      time: true,
    },
  },
  async run({ given, options, client, out }) {
    const made = await client.keys.create({
      name: given.name,
      permissions: options.permissions.split(",").map((permission) => permission.trim()),
      tenantId: options.tenant,
      organizationId: options.organization,
      expiresAt: options.expires,
    });
    out.answer(made, () => {
      const facts = { name: onOneLine(made.name), id: made.id };
      return `${out.say(WORDS.keyMade, facts)}\n${made.token}`;
    });
    return undefined;
  },
});

export const keysRevoke = command({
  name: "keys revoke",
  says: { en: "Revokes an API key at once", ko: "API 키를 즉시 폐기합니다" },
  example: "andon keys revoke 0198c0de-0000-7000-8000-000000000000",
  given: { key: { says: { en: "the key's id, as `andon keys` shows it", ko: "키 ID (`andon keys`)" } } },
  async run({ given, client, out }) {
    const revoked = await client.keys.revoke({ id: given.key });
    out.answer(revoked, () => out.say(WORDS.keyRevoked, { name: onOneLine(revoked.name), id: revoked.id }));
    return undefined;
  },
});

export const keysPermissions = command({
  name: "keys permissions",
  says: { en: "Lists the permissions that a key may hold", ko: "키에 줄 수 있는 권한을 보여 줍니다" },
  example: "andon keys permissions",
  async run({ client, out }) {
    const { items } = await client.keys.permissions();
    out.answer({ items }, () =>
      out.table(
        [
          { head: out.say(WORDS.permission), of: ({ name }) => name },
          { head: out.say(WORDS.app), of: ({ app }) => app },
        ],
        items,
      ),
    );
    return undefined;
  },
});
