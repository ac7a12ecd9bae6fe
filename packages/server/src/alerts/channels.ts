import type { AlertSettings, ChannelSettings } from "./settings.ts";

/** A channel. Its name, which is shown everywhere, contains none of its secrets. */
export interface Channel<Settings extends ChannelSettings = ChannelSettings> {
  readonly name: string;
  /** The destination of its messages in the outbox: one lane, so that its alerts arrive in order. */
  readonly destination: string;
  readonly settings: Settings;
}

export type ChannelOf<Type extends ChannelSettings["type"]> = Channel<
  Extract<ChannelSettings, { type: Type }>
>;

/**
 * The channels of the settings and the log, which is always one of them. They are sorted, because each message locks the lane
 * of its channel: transactions that lock several lanes in one order cannot deadlock.
 */
export function channelsOf({ channels }: Pick<AlertSettings, "channels">): Channel[] {
  const hasLog = channels.some((channel) => channel.type === "log");
  const all: ChannelSettings[] = hasLog ? channels : [...channels, { type: "log" }];
  const taken = new Set<string>();
  const named = all.map((settings) => {
    const name = freeName(settings.name ?? plainName(settings), taken);
    return { name, destination: `alert:${name}`, settings };
  });
  return named.sort((a, b) => (a.destination < b.destination ? -1 : 1));
}

export function sendsResolved({ settings }: Channel): boolean {
  return settings.type !== "log" && settings.sendResolved;
}

function plainName(settings: ChannelSettings): string {
  if (settings.type === "log") return "log";
  const url = new URL(settings.type === "email" ? settings.smtp : settings.url);
  return `${settings.type}:${url.hostname}`;
}

function freeName(wanted: string, taken: Set<string>): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}#${number}`;
  taken.add(name);
  return name;
}
