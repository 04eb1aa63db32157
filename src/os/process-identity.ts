import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** Names one process for ever: a pid alone is given to another process some time after its owner's end. */
export interface ProcessIdentity {
  readonly pid: number;
  /** An opaque text, to be compared and nothing else. */
  readonly startedAt: string;
}

/** Field 22 of /proc/<pid>/stat, counted from the one after the command's name, which may contain blanks itself. */
const START_TIME_FIELD = 19;
const STATE_FIELD = 0;

/** The identity of a running process; null when there is none with this pid, or when it has ended but is unreaped. */
export function processIdentity(pid: number): ProcessIdentity | null {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  const startedAt = process.platform === "linux" ? startOnLinux(pid) : startFromPs(pid);
  return startedAt === null ? null : { pid, startedAt };
}

/** Whether the process that was once identified still runs (another one under the same pid is not it). */
export function isSameProcess(identity: ProcessIdentity): boolean {
  return processIdentity(identity.pid)?.startedAt === identity.startedAt;
}

/** The running process itself. */
export function ownIdentity(): ProcessIdentity {
  const identity = processIdentity(process.pid);
  if (identity === null) throw new Error("Cannot read the start time of this process (is /proc mounted, is ps there?)");
  return identity;
}

/** The boot's id belongs to it: the start time counts from the boot, and low pids come again at the same moment. */
function startOnLinux(pid: number): string | null {
  const stat = readOrNull(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const state = fields[STATE_FIELD];
  const ticks = fields[START_TIME_FIELD];
  if (ticks === undefined || state === "Z" || state === "X") return null;
  return `${bootId()}:${ticks}`;
}

function bootId(): string {
  return readOrNull("/proc/sys/kernel/random/boot_id")?.trim() ?? "";
}

function startFromPs(pid: number): string | null {
  try {
    const line = execFileSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    }).trim();
    const [state = "Z", ...start] = line.split(/\s+/);
    return state.startsWith("Z") ? null : start.join(" ");
  } catch {
    return null;
  }
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}
