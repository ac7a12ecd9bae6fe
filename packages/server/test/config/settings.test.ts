import { describe, expect, test } from "vitest";
import { ENVIRONMENT, readEnvironment } from "../../src/config/environment.ts";
import { SettingsError } from "../../src/config/problems.ts";
import { readSettings, settingsOf } from "../../src/config/read-settings.ts";
import { withoutLogins } from "../../src/observe/redaction.ts";

function problemsOf(value: unknown, env: NodeJS.ProcessEnv = {}): string[] {
  try {
    readSettings({ file: { name: "andon.config.ts", value }, env });
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split("\n");
    throw error;
  }
  return [];
}

const FILE = "andon.config.ts";

describe("a bad setting is named with what was given and what is allowed", () => {
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
    [
      { cache: "s4://b?secret=x" },
      `${FILE}: cache is "s4://b?…"; allowed: file:<folder>, or s3://bucket/prefix?endpoint=…&region=…`,
    ],
    [
      { nas: "ftp://me:pw@nas/x" },
      `${FILE}: nas is "ftp://***@nas/x"; allowed: file:<folder>, or smb://…, sftp://…, webdav://… or webdavs://…`,
    ],
    [{ sqs: { queueURL: "http://q" } }, `${FILE}: sqs.queueURL is not a known key. Did you mean "queueUrl"?`],
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
      `${FILE}: queues.mail.handler is "./mail.ts"; allowed: a function, or the URL of a module`,
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
      "port: 80",
      `${FILE}: does not give an object: export the settings as default, or a function that returns them`,
    ],
  ])("%j", (value, expected) => {
    expect(problemsOf(value)).toEqual([expected]);
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
  ])("%#", (value) => {
    const problems = problemsOf(value);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.join("\n")).not.toContain("hunter2");
  });

  test("of a variable whose name is mistyped", () => {
    expect(problemsOf({}, { ANDON_ADMIN_TOKN: "hunter2" })).toEqual([
      'environment: ANDON_ADMIN_TOKN is not a known variable. Did you mean "ANDON_ADMIN_TOKEN"?',
    ]);
  });
});

test("all problems are told at once, each with where it stands", () => {
  const file = { prot: 1, queues: { "nas-sync": { attempts: 0 } } };
  expect(problemsOf(file, { ANDON_PORT: "80a", ANDON_ROLES: "api,cook", ANDON_PROT: "1" })).toEqual([
    'environment: ANDON_PROT is not a known variable. Did you mean "ANDON_PORT"?',
    'environment: ANDON_PORT is "80a"; allowed: a number',
    `${FILE}: queues.nas-sync.attempts is 0; allowed: at least 1`,
    'environment: ANDON_ROLES is "cook"; allowed: "api", "work", "deliver", "watch"',
    `${FILE}: prot is not a known key. Did you mean "port"?`,
  ]);
});

test("what the environment covers in the file is checked too", () => {
  const file = {
    port: "abc",
    data: 5,
    sqs: "none",
    roles: ["api", "cook"],
    store: "mysql://me:hunter2@db/x",
  };
  const env = {
    ANDON_PORT: "9000",
    ANDON_DATA: "/srv",
    ANDON_SQS_ENDPOINT: "http://b",
    ANDON_ROLES: "api",
    ANDON_STORE: "sqlite:x.db",
  };
  expect(problemsOf(file, env)).toEqual([
    `${FILE}: port is "abc"; allowed: a number`,
    `${FILE}: data is 5; allowed: text`,
    `${FILE}: store is "mysql://***@db/x"; allowed: sqlite:<path>, sqlite::memory: or postgres://…`,
    `${FILE}: sqs is "none"; allowed: an object`,
    `${FILE}: roles.1 is "cook"; allowed: "api", "work", "deliver", "watch"`,
  ]);
});

test("what is allowed is printed in full, although logins are taken out of what is printed", () => {
  const channels = [{ type: "email", smtp: "me:hunter2@mail", to: "ops@example.com" }];
  const [problem = ""] = problemsOf({ alerts: { channels } });
  expect(withoutLogins(problem)).toBe(
    `${FILE}: alerts.channels.0.smtp is not shown; allowed: smtp://host:port or smtps://host:port, with user:password@ before the host where it wants a login`,
  );
});

test("without a file and variables the defaults of the contract hold", () => {
  const settings = readSettings({});
  expect(settings).toMatchObject({
    host: "127.0.0.1",
    port: 8400,
    data: "./data",
    store: "sqlite:data/andon.db",
    cache: "file:data/cache",
    nas: "file:data/nas",
    roles: ["api", "work", "deliver", "watch"],
    shutdownGrace: 30_000,
    bodyLimit: 2_097_152,
    trustProxy: false,
    log: { level: "info" },
  });
  expect([settings.redisUrl, settings.adminToken, settings.publicUrl, settings.sqs]).toEqual([
    undefined,
    undefined,
    undefined,
    {},
  ]);
});

test("the folders follow the data folder", () => {
  expect(settingsOf({ data: "/var/lib/andon" })).toMatchObject({
    store: "sqlite:/var/lib/andon/andon.db",
    cache: "file:/var/lib/andon/cache",
    nas: "file:/var/lib/andon/nas",
  });
});

const GIVEN: Record<string, [text: string, value: unknown]> = {
  ANDON_HOST: ["0.0.0.0", "0.0.0.0"],
  ANDON_PORT: ["9000", 9000],
  ANDON_DATA: ["/srv", "/srv"],
  ANDON_STORE: ["postgres://db/andon", "postgres://db/andon"],
  ANDON_REDIS_URL: ["redis://r:6379", "redis://r:6379"],
  ANDON_CACHE: ["s3://b/p?region=x", "s3://b/p?region=x"],
  ANDON_NAS: ["smb://nas/share", "smb://nas/share"],
  ANDON_SQS_QUEUE_URL: ["https://sqs/q", "https://sqs/q"],
  ANDON_SQS_DLQ_URL: ["https://sqs/d", "https://sqs/d"],
  ANDON_SQS_ENDPOINT: ["http://127.0.0.1:9324", "http://127.0.0.1:9324"],
  ANDON_ADMIN_TOKEN: ["s3cret", "s3cret"],
  ANDON_ROLES: ["api, work", ["api", "work"]],
  ANDON_LOG_LEVEL: ["debug", "debug"],
  ANDON_PUBLIC_URL: ["https://andon.example.com", "https://andon.example.com"],
  OTEL_EXPORTER_OTLP_ENDPOINT: ["http://127.0.0.1:4318", "http://127.0.0.1:4318"],
};

test.each(Object.entries(ENVIRONMENT))("%s wins over the file", (name, { key }) => {
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

test("what the environment sets leaves the rest of its group in place", () => {
  const value = { sqs: { queueUrl: "http://a/q", endpoint: "http://a" } };
  const { sqs } = readSettings({
    file: { name: FILE, value },
    env: { ANDON_SQS_ENDPOINT: "http://b" },
  });
  expect(sqs).toEqual({ queueUrl: "http://a/q", endpoint: "http://b" });
  expect(value.sqs.endpoint).toBe("http://a");
});

test.each(["", "  "])("a variable that is %j counts as not set", (empty) => {
  const env = Object.fromEntries(Object.keys(ENVIRONMENT).map((name) => [name, empty]));
  expect(readEnvironment(env).values.size).toBe(0);
  expect(readSettings({ env }).port).toBe(8400);
});

test.each(["80a", "8e3", "0x50", "-1", "80.0", " 80"])("ANDON_PORT=%j is no number", (text) => {
  expect(problemsOf({}, { ANDON_PORT: text })[0]).toMatch(/^environment: ANDON_PORT is /);
});

test("variables of the project's own tools are passed over, others are not", () => {
  expect(
    problemsOf({}, { ANDON_FAIL_POINT: "x", ANDON_SEED: "1", ANDON_TEST_PG: "y", ANDON_CONFIG: "z" }),
  ).toEqual([]);
  expect(problemsOf({}, { ANDON_SERVICE_HOST: "10.0.0.1" })).toHaveLength(1);
});

test("rules of queues are kept as they were written, so that an app's own rules are not covered by defaults", () => {
  const handler = () => {};
  const { queues } = settingsOf({ queues: { mail: { attempts: 2, handler } } });
  expect(queues).toEqual({ mail: { attempts: 2, handler } });
});
