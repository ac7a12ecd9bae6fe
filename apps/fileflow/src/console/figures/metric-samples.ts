interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

/** The samples that `/metrics` prints, by name: current values only; Prometheus keeps their history. */
export class MetricSamples {
  readonly #byName = new Map<string, Sample[]>();

  constructor(text: string) {
    for (const line of text.split("\n")) {
      const [, name, labels = "", value] = LINE.exec(line) ?? [];
      if (name === undefined) continue;
      const sample = { labels: labelsIn(labels), value: Number(value) };
      this.#byName.set(name, [...(this.#byName.get(name) ?? []), sample]);
    }
  }

  of(name: string): readonly Sample[] {
    return this.#byName.get(name) ?? [];
  }

  /** The sum of all samples, or of those with this value of a label. */
  sum(name: string, label?: string, is?: string): number {
    const own = this.of(name).filter(({ labels }) => label === undefined || labels[label] === is);
    return own.reduce((sum, { value }) => sum + value, 0);
  }

  /** The samples by the value of a label, largest first. */
  by(name: string, label: string): [value: string, count: number][] {
    return this.of(name)
      .map(({ labels, value }): [string, number] => [labels[label] ?? "", value])
      .sort(([, a], [, b]) => b - a);
  }

  /** Undefined if nothing has been measured yet. */
  mean(total: string, count: string): number | undefined {
    const measured = this.sum(count);
    return measured === 0 ? undefined : this.sum(total) / measured;
  }

  /** The upper bound of the bucket that contains this share of all samples; undefined if there are none. */
  quantile(buckets: string, share: number): number | undefined {
    const edges = this.of(buckets).map(({ labels, value }) => ({ edge: Number(labels.le), value }));
    const all = Math.max(0, ...edges.map(({ value }) => value));
    if (all === 0) return undefined;
    const finite = edges.filter(({ edge }) => Number.isFinite(edge));
    return (finite.find(({ value }) => value >= all * share) ?? finite.at(-1))?.edge;
  }
}

function labelsIn(text: string): Record<string, string> {
  const pairs = [...text.matchAll(LABEL)].map(([, name = "", value = ""]) => [
    name,
    value.replaceAll(/\\(.)/g, (_, letter: string) => (letter === "n" ? "\n" : letter)),
  ]);
  return Object.fromEntries(pairs);
}
