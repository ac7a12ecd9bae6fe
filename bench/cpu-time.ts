import { readdirSync, readFileSync } from "node:fs";
import { pg } from "./peers/postgres-client.ts";

/**
 * CPU time that this process and the PostgreSQL server behind the address have used, in seconds. On a machine that others share it tells
 * what work costs where rates tell how busy the machine was. Undefined where the system has no /proc.
 */
export async function cpuSeconds(postgresUrl: string | undefined): Promise<number | undefined> {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1e6;
  if (postgresUrl === undefined) return own;
  const ofServer = await serverCpu(postgresUrl);
  return ofServer === undefined ? undefined : own + ofServer;
}

/** The kernel counts in hundredths of a second for programs, whatever its own clock. */
const TICKS_PER_SECOND = 100;

interface Used {
  readonly pid: number;
  readonly parent: number;
  readonly ticks: number;
  /** Of children that have ended. */
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

/** Of a process that may have ended meanwhile. */
function used(pid: number): Used[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name, in brackets, may have spaces; after it come state, parent and, from the twelfth on, the times.
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
