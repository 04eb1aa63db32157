/**
 * The process that evaluates policies. The server starts it with `child_process.fork`, sends a job, reads lines, and
 * ends it by SIGKILL where a limit is exceeded.
 */
import { writeSync } from "node:fs";
import { type Job, type Line, LINES_FD, type ModulePart } from "./messages.ts";
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
let parts: Uint8Array[] = [];

function withModule(job: Job): Job {
  if (!("source" in job) || job.source.language !== "REGO_WASM" || parts.length === 0) return job;
  const source = { ...job.source, module: Buffer.concat(parts) };
  parts = [];
  return { ...job, source };
}

// The server sends nothing else.
process.on("message", (message: Job | ModulePart) => {
  if (message.type === "part") parts.push(message.bytes);
  else performJob(withModule(message), write, cpuMs);
});
process.on("disconnect", () => process.exit(0));
