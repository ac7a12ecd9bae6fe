import { describe, expect, test } from "vitest";
import { ENVIRONMENT, readEnvironment } from "../../src/config/environment.ts";
import { SettingsError } from "../../src/config/problems.ts";
import { readSettings, settingsOf } from "../../src/config/read-settings.ts";
import { withoutLogins } from "../../src/observe/redaction.ts";

function errorOf(value: unknown, env: NodeJS.ProcessEnv = {}): SettingsError | undefined {
  try {
    readSettings({ file: { name: "andon.config.ts", value }, env });
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
  return undefined;
}

function problemsOf(value: unknown, env?: NodeJS.ProcessEnv): string[] {
  return errorOf(value, env)?.message.split("\n") ?? [];
}

const FILE = "andon.config.ts";

describe("a bad setting is reported with the given value and the allowed values", () => {
  test.each<[unknown, string]>([
    [{ port: 70_000 }, `${FILE}: port is 70000; allowed: at most 65535`],
    [{ port: "8400" }, `${FILE}: port is "8400"; allowed: a number`],
    [{ port: 80.5 }, `${FILE}: port is 80.5; allowed: a whole number`],
    [{ prot: 80 }, `${FILE}: prot is not a known key. Did you mean "port"?`],
    [{ host: "" }, `${FILE}: host is ""; allowed: at least 1 characters`],
    [
      { store: "mysql://root:pw@db/x" },
      `${FILE}: store is "mysql://***@db/x"; allowed: sqlite:<path>, sqlite::memory: or postgres://…`,
    ],
    [{ redisUrl: "http://r" }, `${FILE}: redisUrl is "http://r"; allowed: redis://… or rediss://…`],
    [{ log: { levle: "info" } }, `${FILE}: log.levle is not a known key. Did you mean "level"?`],
    [
      { queues: { "nas-sync": { attempts: 0 } } },
      `${FILE}: queues.nas-sync.attempts is 0; allowed: at least 1`,
    ],
    [
      { queues: { "nas-sync": { attemps: 3 } } },
      `${FILE}: queues.nas-sync.attemps is not a known key. Did you mean "attempts"?`,
    ],
    [
      { queues: { mail: { backoff: { dealy: "5s" } } } },
      `${FILE}: queues.mail.backoff.dealy is not a known key. Did you mean "delay"?`,
    ],
    [
      { queues: { mail: { timeout: "5 parsecs" } } },
      `${FILE}: queues.mail.timeout is "5 parsecs"; allowed: milliseconds, or a string such as "500ms", "5s", "15m", "1h", "30d"`,
    ],
    [
      { queues: { mail: { handler: "./mail.ts" } } },
      `${FILE}: queues.mail.handler is "./mail.ts"; allowed: a function, or a handler per stage, or the URL of a module`,
    ],
    [
      { queues: { mail: { handler: new URL("file:///mail.js") } } },
      `${FILE}: queues.mail.work.isolate is missing; allowed: "thread" or "process" where the handler is the URL of a module`,
    ],
    [
      { queues: { outbox: {} } },
      `${FILE}: queues.outbox is not a name that can be used here; allowed: another name: the host itself has a queue of this name`,
    ],
    [
      { queues: { "a b": {} } },
      `${FILE}: queues.a b is not a name that can be used here; allowed: a name of letters, digits, . : _ -, at most 100`,
    ],
    [{ roles: ["api", "cook"] }, `${FILE}: roles.1 is "cook"; allowed: "api", "work", "deliver", "watch"`],
    [{ roles: [] }, `${FILE}: roles is a list; allowed: at least 1 entries`],
    [
      { log: { level: "loud" } },
      `${FILE}: log.level is "loud"; allowed: "fatal", "error", "warn", "info", "debug", "trace", "silent"`,
    ],
    [{ apps: [{}] }, `${FILE}: apps.0 is an object; allowed: an app, made by defineApp`],
    [{ trustProxy: "yes" }, `${FILE}: trustProxy is "yes"; allowed: true or false, or a list`],
    [
      { trustProxy: ["lan"] },
      `${FILE}: trustProxy.0 is "lan"; allowed: an IP address or a network such as "10.0.0.0/8"`,
    ],
    [
      { publicUrl: "andon.example.com" },
      `${FILE}: publicUrl is "andon.example.com"; allowed: a URL that begins with http:// or https://`,
    ],
    [
      { alerts: { channels: [{ type: "pager" }] } },
      `${FILE}: alerts.channels.0.type is "pager"; allowed: "webhook", "slack", "email", "log"`,
    ],
    [
      { alerts: { channels: [{ type: "slack", url: "http://h", nmae: "x" }] } },
      `${FILE}: alerts.channels.0.nmae is not a known key. Did you mean "name"?`,
    ],
    [
      null,
      `${FILE}: does not give an object: export the settings as default, or a function that returns them`,
    ],
    [
      "port: 80",
      `${FILE}: does not give an object: export the settings as default, or a function that returns them`,
    ],
  ])("%j", (value, expected) => {
    expect(problemsOf(value)).toEqual([expected]);
  });
});

describe("a bad setting is reported in Korean too, with the same keys and values", () => {
  test.each<[unknown, string]>([
    [{ port: 70_000 }, `${FILE}: port: 값이 70000입니다. 허용되는 값: 65535 이하`],
    [{ port: "8400" }, `${FILE}: port: 값이 "8400"입니다. 허용되는 값: 숫자`],
    [{ prot: 80 }, `${FILE}: prot: 알 수 없는 키입니다. "port"를 쓰려고 했나요?`],
    [{ host: "" }, `${FILE}: host: 값이 ""입니다. 허용되는 값: 1자 이상`],
    [{ roles: [] }, `${FILE}: roles: 값이 목록입니다. 허용되는 값: 1개 이상`],
    [
      { adminToken: "a b" },
      `${FILE}: adminToken: 값은 표시하지 않습니다. 허용되는 값: 공백이 없는 ASCII 문자 1~512자`,
    ],
    [
      { queues: { mail: { timeout: "5 parsecs" } } },
      `${FILE}: queues.mail.timeout: 값이 "5 parsecs"입니다. 허용되는 값: 밀리초, 또는 "500ms", "5s", "15m", "1h", "30d" 같은 문자열`,
    ],
    [
      { queues: { mail: { handler: new URL("file:///mail.js") } } },
      `${FILE}: queues.mail.work.isolate: 값이 없습니다. 허용되는 값: 핸들러가 모듈의 URL이면 "thread" 또는 "process"`,
    ],
    [
      { queues: { outbox: {} } },
      `${FILE}: queues.outbox: 여기에 쓸 수 없는 이름입니다. 허용되는 값: 다른 이름: 서버 자체에 이 이름의 큐가 있습니다`,
    ],
    [null, `${FILE}: 객체를 내보내지 않습니다. 설정 또는 설정을 반환하는 함수를 default로 내보내세요`],
  ])("%j", (value, expected) => {
    expect(errorOf(value)?.lines("ko")).toEqual([expected]);
  });

  test("for a variable", () => {
    expect(errorOf({}, { ANDON_PROT: "1", ANDON_PORT: "80a" })?.in("ko").split("\n")).toEqual([
      '환경 변수: ANDON_PROT: 알 수 없는 변수입니다. "ANDON_PORT"를 쓰려고 했나요?',
      '환경 변수: ANDON_PORT: 값이 "80a"입니다. 허용되는 값: 숫자',
    ]);
  });

  test("for every custom check", () => {
    const bad = {
      redisUrl: 1,
      store: "x",
      publicUrl: "x",
      trustProxy: ["lan"],
      apps: [{}],
      queues: { "a b": {}, mail: { onFinalFailure: 5, classify: 5, handler: 5 } },
      alerts: {
        channels: [
          { type: "slack", url: "x" },
          { type: "email", smtp: "x", to: "a@b" },
        ],
      },
    };
    const [en = [], ko = []] = [errorOf(bad)?.lines("en"), errorOf(bad)?.lines("ko")];
    expect(ko).toHaveLength(en.length);
    expect(ko.filter((line) => !/[가-힣]/.test(line.split("허용되는 값: ")[1] ?? ""))).toEqual([]);
  });
});

describe("secrets are never shown", () => {
  test.each<unknown>([
    { adminToken: "hunter2 with blanks" },
    { store: "postgrs://me:hunter2@db/x" },
    { store: "mysql:/me:hunter2@db/x?password=hunter2" },
    { nas: "me:hunter2@nas" },
    { alerts: { channels: [{ type: "webhook", url: "htp://x/hunter2", secret: 5 }] } },
    { alerts: { channels: [{ type: "webhook", url: "http://x/", secret: ["hunter2"] }] } },
    { alerts: { channels: [{ type: "email", smtp: "me:hunter2@mail", to: "ops@example.com" }] } },
  ])("in the problems of case %#", (value) => {
    const problems = problemsOf(value);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join("\n")).not.toContain("hunter2");
  });

  test("in the problem of a mistyped variable", () => {
    expect(problemsOf({}, { ANDON_ADMIN_TOKN: "hunter2" })).toEqual([
      'environment: ANDON_ADMIN_TOKN is not a known variable. Did you mean "ANDON_ADMIN_TOKEN"?',
    ]);
  });
});

test("all problems are reported at once, each with its place", () => {
  const file = { prot: 1, queues: { "nas-sync": { attempts: 0 } } };
  expect(problemsOf(file, { ANDON_PORT: "80a", ANDON_ROLES: "api,cook", ANDON_PROT: "1" })).toEqual([
    'environment: ANDON_PROT is not a known variable. Did you mean "ANDON_PORT"?',
    'environment: ANDON_PORT is "80a"; allowed: a number',
    `${FILE}: queues.nas-sync.attempts is 0; allowed: at least 1`,
    'environment: ANDON_ROLES is "cook"; allowed: "api", "work", "deliver", "watch"',
    `${FILE}: prot is not a known key. Did you mean "port"?`,
  ]);
});

test("values of the file that the environment overrides are checked too", () => {
  const file = {
    port: "abc",
    data: 5,
    log: "none",
    roles: ["api", "cook"],
    store: "mysql://me:hunter2@db/x",
  };
  const env = {
    ANDON_PORT: "9000",
    ANDON_DATA: "/srv",
    ANDON_LOG_LEVEL: "debug",
    ANDON_ROLES: "api",
    ANDON_STORE: "sqlite:x.db",
  };
  expect(problemsOf(file, env)).toEqual([
    `${FILE}: port is "abc"; allowed: a number`,
    `${FILE}: data is 5; allowed: text`,
    `${FILE}: store is "mysql://***@db/x"; allowed: sqlite:<path>, sqlite::memory: or postgres://…`,
    `${FILE}: roles.1 is "cook"; allowed: "api", "work", "deliver", "watch"`,
    `${FILE}: log is "none"; allowed: an object`,
  ]);
});

test("the allowed values are printed in full, although logins are removed from printed text", () => {
  const channels = [{ type: "email", smtp: "me:hunter2@mail", to: "ops@example.com" }];
  const [problem = ""] = problemsOf({ alerts: { channels } });
  expect(withoutLogins(problem)).toBe(
    `${FILE}: alerts.channels.0.smtp is not shown; allowed: smtp://host:port or smtps://host:port, with user:password@ before the host where it wants a login`,
  );
});

test("without a file and variables the documented defaults apply", () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    host: "127.0.0.1",
    port: 8400,
    data: "./data",
    store: "sqlite:data/andon.db",
    roles: ["api", "work", "deliver", "watch"],
    shutdownGrace: 30_000,
    bodyLimit: 2_097_152,
    trustProxy: false,
    log: { level: "info" },
  });
  expect([settings.redisUrl, settings.adminToken, settings.publicUrl]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("the default store is in the data folder", () => {
  expect(settingsOf({ data: "/var/lib/andon" }).store).toBe("sqlite:/var/lib/andon/andon.db");
});

const GIVEN: Record<string, [text: string, value: unknown]> = {
  ANDON_HOST: ["0.0.0.0", "0.0.0.0"],
  ANDON_PORT: ["9000", 9000],
  ANDON_DATA: ["/srv", "/srv"],
  ANDON_STORE: ["postgres://db/andon", "postgres://db/andon"],
  ANDON_REDIS_URL: ["redis://r:6379", "redis://r:6379"],
  ANDON_ADMIN_TOKEN: ["s3cret-of-more-than-20", "s3cret-of-more-than-20"],
  ANDON_ROLES: ["api, work", ["api", "work"]],
  ANDON_LOG_LEVEL: ["debug", "debug"],
  ANDON_LOG_FORMAT: ["text", "text"],
  ANDON_PUBLIC_URL: ["https://andon.example.com", "https://andon.example.com"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["http://127.0.0.1:4318", "http://127.0.0.1:4318"],
};

test.each(Object.entries(ENVIRONMENT))("%s overrides the file", (name, { key }) => {
  const [text, value] = GIVEN[name] as [string, unknown];
  const [first = "", second] = key.split(".");
  const fromFile = second ? { [first]: {} } : {};
  const settings = readSettings({
    file: { name: FILE, value: { host: "file.example.com", port: 1, ...fromFile } },
    env: { [name]: text },
  });
  const at = (settings as unknown as Record<string, Record<string, unknown>>)[first];
  expect(second ? at?.[second] : at).toEqual(value);
});

test.each(["", "  "])("a variable that is %j counts as not set", (empty) => {
  const env = Object.fromEntries(Object.keys(ENVIRONMENT).map((name) => [name, empty]));
  expect(readEnvironment(env, []).values.size).toBe(0);
  expect(readSettings({ env }).port).toBe(8400);
});

test.each(["80a", "8e3", "0x50", "-1", "80.0", " 80"])("ANDON_PORT=%j is refused as a number", (text) => {
  expect(problemsOf({}, { ANDON_PORT: text })[0]).toMatch(/^environment: ANDON_PORT is /);
});

test("variables of the project's own tools are ignored, unknown ones are not", () => {
  expect(
    problemsOf({}, { ANDON_FAIL_POINT: "x", ANDON_SEED: "1", ANDON_TEST_PG: "y", ANDON_CONFIG: "z" }),
  ).toEqual([]);
  expect(problemsOf({}, { ANDON_SERVICE_HOST: "10.0.0.1" })).toHaveLength(1);
});

test("rules of queues stay as written, so that defaults do not override an app's own rules", () => {
  const handler = () => {};
  const { queues } = settingsOf({ queues: { mail: { attempts: 2, handler } } });
  expect(queues).toEqual({ mail: { attempts: 2, handler } });
});

test("an admin token that can be guessed is refused if others can reach the server", () => {
  const short = "x".repeat(19);
  for (const host of ["0.0.0.0", "::", "192.168.0.10", "andon.example.com"]) {
    expect(problemsOf({ host, adminToken: short })).toEqual([
      expect.stringMatching(/adminToken has 19 characters and can be guessed.*at least 20/),
    ]);
    expect(problemsOf({ host, adminToken: `${short}x` })).toEqual([]);
    expect(problemsOf({ host, adminToken: short, roles: ["work"] })).toEqual([]);
  }
  for (const host of ["127.0.0.1", "localhost", "::1"])
    expect(problemsOf({ host, adminToken: short })).toEqual([]);
  const env = { ANDON_HOST: "0.0.0.0", ANDON_ADMIN_TOKEN: short };
  expect(() => readSettings({ env })).toThrow(/ANDON_ADMIN_TOKEN has 19 characters/);
});

test("a password for the mail server is refused if it would be sent unencrypted", () => {
  const channel = (smtp: string, more = {}) =>
    problemsOf({ alerts: { channels: [{ type: "email", smtp, to: "ops@example.com", ...more }] } });
  const refused = channel("smtp://me:hunter2@mail.example.com:587");
  expect(refused).toEqual([expect.stringMatching(/alerts\.channels\.0\.smtp .*requireTls: true/)]);
  expect(refused.join()).not.toContain("hunter2");
  for (const smtp of [
    "smtps://me:hunter2@mail.example.com",
    "smtp://mail.example.com",
    "smtp://me:p@localhost:25",
  ])
    expect(channel(smtp)).toEqual([]);
  expect(channel("smtp://me:hunter2@mail.example.com", { requireTls: true })).toEqual([]);
});
