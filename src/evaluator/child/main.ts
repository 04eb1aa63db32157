/**
 * The process that evaluates policies. The server starts it with `child_process.fork`, sends a job, reads lines, and
 * ends it by SIGKILL where a limit is exceeded.
 */
import { writeSync } from "node:fs";
import { type Job, type Line, LINES_FD } from "./messages.ts";
import { performJob } from "./perform-job.ts";

const US_PER_MS = 1000;
/** Signals that go to the whole process group, such as Ctrl-C. The server decides about them. */
const SIGNALS_OF_THE_SERVER = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function write(line: Line): void {
  const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(LINES_FD, bytes, sent);
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / US_PER_MS);
}

for (const signal of SIGNALS_OF_THE_SERVER) process.on(signal, () => undefined);
// The server sends nothing but jobs.
process.on("message", (job: Job) => performJob(job, write, cpuMs));
process.on("disconnect", () => process.exit(0));
