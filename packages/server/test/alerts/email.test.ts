import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { describeAlerts, eventually } from "./alert-bench.ts";

interface Mail {
  readonly from: string;
  readonly to: string[];
  readonly raw: string;
}

const open: SMTPServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await new Promise<void>((done) => server.close(() => done()));
});

async function startMailServer(options: SMTPServerOptions = {}) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    hideSTARTTLS: true,
    authOptional: true,
    allowInsecureAuth: true,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
    ...options,
  });
  server.on("error", () => {});
  open.push(server);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return { mails, port: (server.server.address() as AddressInfo).port };
}

describeAlerts("alerts by mail", (bench) => {
  test("arrive as text, with the delivery's id, sent with the login of the settings", async () => {
    const users: string[] = [];
    const { mails, port } = await startMailServer({
      authOptional: false,
      onAuth({ username = "", password }, _session, done) {
        users.push(username);
        done(password === "p@ss/word" ? null : new Error("no"), { user: username });
      },
    });
    const smtp = `smtp://andon%40example.com:p%40ss%2Fword@localhost:${port}`;
    const process = await bench().process({
      settings: { channels: [{ type: "email", smtp, to: ["ops@example.com", "kim@example.com"] }] },
      // On a busy machine the login takes longer than the short timeout of these tests.
      outbox: { timeout: "10s" },
    });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    const [mail] = await eventually("it arrives", () => mails.length > 0 && mails);
    expect(users).toEqual(["andon@example.com"]);
    expect(mail).toMatchObject({ from: "andon@example.com", to: ["ops@example.com", "kim@example.com"] });
    const [job] = await process.andon.store.query<{ job_id: string }>(
      "select job_id from server_alert_deliveries where alert_id = $1 and channel = $2",
      [id, "email:localhost"],
    );
    const unfolded = mail?.raw.replace(/\r\n[ \t]+/g, " ") ?? "";
    expect(unfolded).toContain(`Message-ID: <${job?.job_id}@example.com>`);
    expect(unfolded).toContain("Content-Type: text/plain; charset=utf-8");
    expect(unfolded).not.toContain("text/html");
    const subject = /^Subject: (.*)$/m.exec(unfolded)?.[1] ?? "";
    expect(decodedWords(subject.trim())).toBe("[Andon][WARNING] 시험 알림");
    await eventually("its state is told", async () =>
      (await process.alerts.show(id)).deliveries.every(({ state }) => state === "DELIVERED"),
    );
    const told = JSON.stringify([process.logged, await process.alerts.show(id), await process.andon.audit()]);
    expect(told).not.toContain("p@ss");
    expect(told).not.toContain("p%40ss");
  });

  test("are retried after the server has refused them", async () => {
    let refusals = 0;
    const { mails, port } = await startMailServer({
      onMailFrom: (_address, _session, done) =>
        refusals++ === 0 ? done(Object.assign(new Error("try later"), { responseCode: 451 })) : done(),
    });
    const process = await bench().process({
      settings: { channels: [{ type: "email", smtp: `smtp://127.0.0.1:${port}`, to: "ops@example.com" }] },
    });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    await eventually("it arrives", () => mails.length >= 1);
    const mail = await eventually("it is told", async () =>
      (await process.alerts.show(id)).deliveries.find(
        // A busy machine may need more attempts.
        ({ state, attempts }) => state === "DELIVERED" && attempts >= 2,
      ),
    );
    expect(mail.channel).toBe("email:127.0.0.1");
  });

  test("are not sent to a server whose certificate is not trusted", async () => {
    const { mails, port } = await startMailServer({ hideSTARTTLS: false });
    const smtp = `smtp://localhost:${port}`;
    const process = await bench().process({
      settings: { channels: [{ type: "email", smtp, to: "ops@example.com", name: "mail" }] },
      outbox: { attempts: 1, timeout: "10s" },
    });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    const failed = await eventually("it fails", async () =>
      (await process.alerts.show(id)).deliveries.find(({ state }) => state === "FAILED"),
    );
    expect(failed.lastError).toMatch(/certificate/);
    expect(mails).toEqual([]);
  });

  test("are refused to a mail server at a private address", async () => {
    const { mails, port } = await startMailServer();
    const process = await bench().process({
      settings: { channels: [{ type: "email", smtp: `smtp://localhost:${port}`, to: "ops@example.com" }] },
      outbox: { attempts: 1 },
      isEmbedded: false,
    });
    await process.deliver();
    const { id } = await process.alerts.test("kim");
    const failed = await eventually("it fails", async () =>
      (await process.alerts.show(id)).deliveries.find(({ state }) => state === "FAILED"),
    );
    expect(failed.lastError).toContain("may not be sent to (loopback)");
    expect(mails).toEqual([]);
  });
});

/** Decodes encoded words (RFC 2047), as mail clients do. */
function decodedWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString("utf8")
        : Buffer.from(
            text
              .replaceAll("_", " ")
              .replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
            "latin1",
          ).toString("utf8"),
    );
}
