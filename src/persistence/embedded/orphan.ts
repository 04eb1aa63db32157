import { readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execFileSync } from "node:child_process";
import { findText } from "../../os/durable-file.ts";
import { isSameProcess, type ProcessIdentity, processIdentity } from "../../os/process-identity.ts";
import { EmbeddedPostgresError } from "./error.ts";
import type { Log } from "./log.ts";

const POLL_MS = 10;

/** Fast shutdown, immediate shutdown, and what no process can refuse; each with the time that it gets. */
const ENDINGS = [
  { signal: "SIGINT", limitMs: 30_000 },
  { signal: "SIGQUIT", limitMs: 10_000 },
  { signal: "SIGKILL", limitMs: 10_000 },
] as const;

/**
 * Ends the Postgres of a Holdpoint that was killed. It runs in a session of its own and so has survived; two servers
 * on one database folder are what Postgres refuses.
 */
export async function endOrphan(pgData: string, log: Log): Promise<void> {
  const pidFile = join(pgData, "postmaster.pid");
  const text = await findText(pidFile);
  if (text === undefined) return;
  const orphan = processIdentity(Number(text.split("\n")[0]));
  if (orphan !== null && (await isPostgresOf(orphan.pid, pgData))) {
    log.warn({ pid: orphan.pid }, "ending the Postgres of an earlier Holdpoint that was killed");
    await end(orphan);
  }
  // Postgres refuses to start when the pid of a stale file belongs to any process of its user by now, which is usual
  // after the restart of a container. That none of its processes is left it checks by its shared memory as well.
  await rm(pidFile, { force: true });
}

async function end(orphan: ProcessIdentity): Promise<void> {
  for (const { signal, limitMs } of ENDINGS) {
    if (!isSameProcess(orphan)) return;
    try {
      process.kill(orphan.pid, signal);
    } catch {
      // It has just ended, or it may not be signalled; the loop below distinguishes the two.
    }
    for (let waitedMs = 0; waitedMs < limitMs; waitedMs += POLL_MS) {
      if (!isSameProcess(orphan)) return;
      await sleep(POLL_MS);
    }
  }
  throw new EmbeddedPostgresError(
    `The Postgres of an earlier Holdpoint (process ${orphan.pid}) cannot be ended. End it and start again.`,
  );
}

/** A postmaster's working folder is its database's; where that cannot be asked, its command line names the folder. */
async function isPostgresOf(pid: number, pgData: string): Promise<boolean> {
  const folder = await realpath(pgData);
  if (process.platform === "linux") return (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === folder;
  try {
    const command = execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return command.includes("postgres") && (command.includes(folder) || command.includes(pgData));
  } catch {
    return false;
  }
}
