/** The needs of installations of three sizes, computed from the measured costs. */
import { type Measured, short, table } from "./world.ts";

interface Installation {
  runsAYear: number;
  workspaces: number;
  runners: number;
  watchers: number;
  servers: number;
}

const INSTALLATIONS: readonly Installation[] = [
  { runsAYear: 100_000, workspaces: 1000, runners: 20, watchers: 200, servers: 1 },
  { runsAYear: 1_000_000, workspaces: 10_000, runners: 200, watchers: 5000, servers: 1 },
  { runsAYear: 10_000_000, workspaces: 100_000, runners: 2000, watchers: 100_000, servers: 4 },
];
const YEAR_S = 365 * 24 * 3600;
/** A run's job is at work for so long. */
const JOB_MINUTES = 5;
const EVENTS_A_RUN = 28;
const WATCHERS_OF_A_RUN = 10;

/** Cores of the average second, by where they are spent. */
function coresOf({ runsAYear, runners, watchers }: Installation, one: (name: string) => number) {
  const runs = runsAYear / YEAR_S;
  const jobs = runs * JOB_MINUTES;
  const deliveries = runs * EVENTS_A_RUN * WATCHERS_OF_A_RUN;
  const server = {
    "runs that are being made": (runs * one("runs.serverMs")) / 1000,
    "runners that wait": (runners * one("waiting.serverMs")) / 60_000,
    "jobs at work": (jobs * one("job.serverMs")) / 1000,
    "watchers without events": (watchers * one("watchers.idleUs")) / 1e6,
    "deliveries to watchers": (deliveries * one("watchers.deliveryUs")) / 1e6,
    "an idle server": one("idle.serverMs") / 60_000,
  };
  const postgres =
    (runs * one("runs.postgresMs")) / 1000 +
    (runners * one("waiting.postgresMs")) / 60_000 +
    (jobs * one("job.postgresMs")) / 1000 +
    one("idle.postgresMs") / 60_000;
  return { server, sum: Object.values(server).reduce((sum, part) => sum + part, 0), postgres };
}

/** The table of the sizes, and the shares of the largest one; nothing before everything was measured. */
export function installations(measured: Measured): Measured {
  const one = (name: string): number => Number(measured[name]);
  const count = (value: number): string => value.toLocaleString("en");
  const rows = INSTALLATIONS.map((size) => {
    const { sum, postgres } = coresOf(size, one);
    const gib = (size.servers * one("watchers.ownMib") + (size.watchers * one("watchers.kib")) / 1024) / 1024;
    return [
      `${count(size.runsAYear)} runs a year, ${count(size.workspaces)} workspaces, ${count(size.runners)} runners, ` +
        `${count(size.watchers)} watchers`,
      short(sum),
      short(postgres),
      `${short((size.runsAYear * one("runs.kib") * 1024) / 1e9)} GB`,
      `${short(gib)} GiB${size.servers > 1 ? `, over ${size.servers}` : ""}`,
    ];
  });
  const largest = INSTALLATIONS.at(-1);
  if (largest === undefined) return {};
  const { server, sum } = coresOf(largest, one);
  const columns = ["installation", "servers, cores", "Postgres, cores", "disk a year", "server memory"];
  return {
    "sizes.table": table(columns, rows),
    "sizes.shares": table(
      ["of the servers' CPU of the largest size", "share"],
      Object.entries(server)
        .toSorted(([, a], [, b]) => b - a)
        .map(([name, cores]) => [name, `${short((cores * 100) / sum)} %`]),
    ),
  };
}
