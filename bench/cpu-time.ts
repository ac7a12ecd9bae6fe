import { readdirSync, readFileSync } from "node:fs";
import { pg } from "./peers/postgres-client.ts";

/**
 * The CPU seconds that this process and the PostgreSQL server at this URL have used. On a shared machine, CPU time shows the
 * cost of the work, while rates show how busy the machine was. Undefined if the system has no /proc.
 */
export async function cpuSeconds(postgresUrl: string | undefined): Promise<number | undefined> {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (postgresUrl === undefined) return own;
  const ofServer = await serverCpu(postgresUrl);
  return ofServer === undefined ? undefined : own + ofServer;
}

/** The kernel reports times to programs in hundredths of a second, whatever its own clock rate. */
const TICKS_PER_SECOND = 100;

interface Used {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Ticks of the children that have ended. */
  readonly ofEnded: number;
}

async function serverCpu(url: string): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ file: string }>("select pg_read_file('postmaster.pid') as file");
    const server = Number(rows[0]?.file.split("\n")[0]);
    const used = usedByAll();
    const main = used?.find(({ pid }) => pid === server);
    if (!used || !main) return undefined;
    const backends = used.filter(({ parent }) => parent === server);
    const ticks = backends.reduce((sum, each) => sum + each.ticks, main.ticks + main.ofEnded);
    return ticks / TICKS_PER_SECOND;
  } finally {
    await client.end();
  }
}

function usedByAll(): Used[] | undefined {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? used(Number(name)) : []));
  } catch {
    return undefined;
  }
}

/** The times of a process; empty if it has ended since. */
function used(pid: number): Used[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in brackets may contain spaces. After it come the state, the parent and, from the twelfth field on, the times.
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return [{ pid, parent: fields[1] ?? 0, ticks: user + system, ofEnded: endedUser + endedSystem }];
  } catch {
    return [];
  }
}
