import type { App, AppMetric, AppSite } from "@andon/app";

/** The metrics of the apps in the text format of Prometheus. An app whose metrics cannot be read is left out of this scrape. */
export async function metricsOfApps(apps: readonly App[], site: AppSite): Promise<string[]> {
  const read = apps.map(async ({ metrics }) => (await metrics?.(site)) ?? []);
  const results = await Promise.allSettled(read);
  return results.flatMap((result) => (result.status === "fulfilled" ? result.value.map(textOf) : []));
}

function textOf({ name, help, type, values }: AppMetric): string {
  const lines = values.map(({ labels = {}, value }) => `${name}${labelsOf(labels)} ${value}`);
  return [`# HELP ${name} ${escaped(help)}`, `# TYPE ${name} ${type}`, ...lines, ""].join("\n");
}

function labelsOf(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escaped(value).replaceAll('"', '\\"')}"`,
  );
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
