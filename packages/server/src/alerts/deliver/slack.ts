import { type PostPorts, postSafely } from "@andon/app";
import type { Language } from "@andon/contract";
import type { ChannelOf } from "../channels.ts";
import { factLines, headline, type SentAlert } from "./sent-alert.ts";

const MARKS: Record<SentAlert["severity"], string> = { CRITICAL: "🔴", WARNING: "🟠" };
const RESOLVED_MARK = "🟢";

/** Posts plain text in Slack's format, which Mattermost and Rocket.Chat also accept. */
export function deliverSlack(
  { settings }: ChannelOf<"slack">,
  alert: SentAlert,
  language: Language,
  ports: PostPorts,
): Promise<void> {
  return postSafely({ url: settings.url, body: JSON.stringify({ text: slackText(alert, language) }) }, ports);
}

function slackText(alert: SentAlert, language: Language): string {
  const mark = alert.status === "resolved" ? RESOLVED_MARK : MARKS[alert.severity];
  const lines = [
    `${mark} [${alert.severity}] ${headline(alert, language)}`,
    alert.message,
    "",
    ...factLines(alert),
  ];
  return lines.map(escaped).join("\n");
}

/** Escapes the three characters from which Slack builds links and mentions such as `<!channel>`. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
