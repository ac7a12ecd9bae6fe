import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { answering, type Lookup, type Reach, reachableAddresses, withinLimit } from "@andon/app";
import type { Language } from "@andon/contract";
import nodemailer from "nodemailer";
import type { ChannelOf } from "../channels.ts";
import { factLines, headline, type SentAlert } from "./sent-alert.ts";

const EMAIL_LIMIT_MS = 15_000;

interface EmailPorts {
  readonly reach: Reach;
  readonly signal: AbortSignal;
  readonly lookup?: Lookup;
}

/** Sends a plain-text mail through the mail server of the settings. */
export function deliverEmail(
  { settings }: ChannelOf<"email">,
  alert: SentAlert,
  deliveryId: string,
  language: Language,
  { reach, signal, lookup }: EmailPorts,
): Promise<void> {
  const server = mailServer(settings.smtp);
  const from = settings.from ?? server.sender;
  const domain = /@([^\s@<>]+)>?\s*$/.exec(from)?.[1] ?? server.host;
  const mail = {
    from,
    to: settings.to,
    subject: `[Andon][${alert.severity}] ${headline(alert, language)}`,
    text: `${alert.message}\n\n${factLines(alert).join("\n")}\n`,
    // The same id for every attempt of a delivery, so that a mailbox can recognize a duplicate.
    messageId: `<${deliveryId}@${domain}>`,
    headers: { "X-Andon-Delivery": deliveryId },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return withinLimit(EMAIL_LIMIT_MS, signal, async (limited) => {
    const socket = await connected(server, reach, limited, lookup);
    const transport = nodemailer.createTransport({
      // The host name is needed to verify the certificate; the connection itself uses a checked address.
      host: server.host,
      port: server.port,
      secure: server.secure,
      requireTLS: settings.requireTls,
      ...(server.auth ? { auth: server.auth } : {}),
      getSocket: (_options, callback) => callback(null, { connection: socket }),
      greetingTimeout: EMAIL_LIMIT_MS,
      socketTimeout: EMAIL_LIMIT_MS,
    });
    try {
      await transport.sendMail(mail);
    } finally {
      socket.destroy();
    }
  });
}

/** A connection that the signal destroys at any time. */
async function connected(
  { host, port }: MailServer,
  reach: Reach,
  signal: AbortSignal,
  lookup: Lookup | undefined,
): Promise<Socket> {
  const addresses = await reachableAddresses(host, reach, lookup);
  signal.throwIfAborted();
  const socket = connect({ host, port, lookup: answering(addresses) });
  signal.addEventListener("abort", () => socket.destroy(), { once: true });
  // It may break before nodemailer listens, and an error event without a listener ends the process.
  socket.on("error", () => {});
  await once(socket, "connect", { signal });
  return socket;
}

interface MailServer {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly auth: { user: string; pass: string } | undefined;
  readonly sender: string;
}

const SUBMISSION_PORT = 587;
const SUBMISSION_TLS_PORT = 465;

function mailServer(smtp: string): MailServer {
  const url = new URL(smtp);
  const secure = url.protocol === "smtps:";
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const [user, pass] = [decodeURIComponent(url.username), decodeURIComponent(url.password)];
  return {
    host,
    port: url.port === "" ? (secure ? SUBMISSION_TLS_PORT : SUBMISSION_PORT) : Number(url.port),
    secure,
    auth: user === "" ? undefined : { user, pass },
    sender: user.includes("@") ? user : `andon@${host}`,
  };
}
