/** The folder of a plan that waits on its runner for the apply: what is there need not be fetched and initialised anew. */
import { createHash } from "node:crypto";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Job } from "../../ingestion/wire.ts";
import { isApplyLeg } from "../../model/lifecycle/run-kind.ts";
import { copyFolders, type DigestBounds, digestFolders } from "../archive/folder-digest.ts";
import { isVariablesFile } from "../engine/engine-files.ts";
import type { JobFolder } from "../job/job-folder.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import type { PlanJson } from "../plan/plan-json.ts";
import { sensitiveTexts } from "../plan/plan-secrets.ts";
import { plannedOperations } from "../progress/engine-progress.ts";

export type PlanCacheLimits = Pick<RunnerLimits, "planCacheBytes" | "planCacheEntries" | "planCacheTextBytes">;

/** What the apply learns from the plan without asking the engine again. */
export interface PlanSummary {
  /** Texts that the log must not show. */
  readonly secrets: readonly string[];
  /** How many operations it makes, by address. */
  readonly operations: ReadonlyMap<string, number>;
}

export interface CachedPlan extends PlanSummary {
  readonly runId: string;
  /** SHA-256 of the plan file. */
  readonly planDigest: string;
  /** Of all that was in the folder when the plan was handed over. */
  readonly contentDigest: string;
  readonly folder: JobFolder;
}

/** What was found in the plan, where it is little enough to be kept in memory. */
export function summarizePlan(
  plan: PlanJson,
  { planCacheTextBytes, planCacheEntries }: PlanCacheLimits,
): PlanSummary | null {
  const secrets = sensitiveTexts(plan);
  const operations = plannedOperations(plan);
  const length = secrets.reduce((sum, text) => sum + text.length, 0);
  return length > planCacheTextBytes || secrets.length + operations.size > planCacheEntries
    ? null
    : { secrets, operations };
}

/**
 * Takes the values of variables out of the folder, which the apply writes anew, and says what remains; null where it is
 * not to be cached. Nothing of the engine may run.
 */
export async function sealFolder(folder: JobFolder, limits: PlanCacheLimits): Promise<string | null> {
  for (const name of await readdir(folder.work)) {
    if (isVariablesFile(name)) await rm(join(folder.work, name), { recursive: true, force: true });
  }
  const left = await lstat(folder.erroredStateFile).catch(() => null);
  return left === null ? digestWork(folder, limits) : null;
}

/**
 * Copies kept work into the fresh folder of the apply. Not moved: whatever the plan's processes handed to others (an
 * open file, a second name of it, a list of who may write) leads to what is thrown away. false where it is not what the
 * plan was handed over with, byte for byte: then the folder is empty, as if nothing had been cached. The plan file is the
 * approved one by its own digest.
 */
export async function restoreCachedPlan(
  cached: CachedPlan,
  folder: JobFolder,
  planDigest: string,
  limits: PlanCacheLimits,
): Promise<boolean> {
  const parts = ["work", "plan"] as const;
  for (const part of parts) await rm(folder[part], { recursive: true });
  const copied = parts.map((part) => ({ from: cached.folder[part], to: folder[part] }));
  // What has become of it since may be anything, also unreadable.
  const digest = await copyFolders(copied, ownerOf(folder), boundsOf(limits)).catch(() => null);
  if (digest === cached.contentDigest && (await digestPlan(folder)) === planDigest) return true;
  for (const part of parts) await folder.makeEmpty(folder[part]);
  return false;
}

function digestWork(folder: JobFolder, limits: PlanCacheLimits): Promise<string | null> {
  return digestFolders([folder.work, folder.plan], ownerOf(folder), boundsOf(limits));
}

function ownerOf({ engineUid }: JobFolder): number {
  return engineUid ?? process.getuid?.() ?? 0;
}

function boundsOf({ planCacheBytes, planCacheEntries }: PlanCacheLimits): DigestBounds {
  return { bytes: planCacheBytes, entries: planCacheEntries };
}

async function digestPlan(folder: JobFolder): Promise<string | null> {
  const plan = await folder.readFromEngine(folder.planFile);
  return plan === undefined ? null : createHash("sha256").update(plan).digest("hex");
}

/** The place of one slot for one kept work: it goes with the next job of the slot, whatever that is, or after a while. */
export class PlanCache implements AsyncDisposable {
  readonly #planCacheMs: number;
  readonly #log: RunnerLog;
  #cached: CachedPlan | null = null;
  #timer: NodeJS.Timeout | undefined;
  #removing: Promise<void> = Promise.resolve();

  constructor(planCacheMs: number, log: RunnerLog) {
    this.#planCacheMs = planCacheMs;
    this.#log = log;
  }

  put(cached: CachedPlan): void {
    this.#clear();
    this.#cached = cached;
    this.#timer = setTimeout(() => this.#clear(), this.#planCacheMs).unref();
  }

  /** What was kept for this job; nothing is left on the shelf. Whoever gets it removes the folder. */
  async take({ run, leg, plan, hooks }: Job): Promise<CachedPlan | null> {
    const cached = this.#cached;
    const isMeant =
      cached?.runId === run.id && isApplyLeg(leg) && cached.planDigest === plan?.digest && hooks.length === 0;
    if (isMeant) this.#cached = null;
    this.#clear();
    await this.#removing;
    return isMeant ? cached : null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#clear();
    await this.#removing;
  }

  #clear(): void {
    clearTimeout(this.#timer);
    const cached = this.#cached;
    this.#cached = null;
    if (cached === null) return;
    const removed = cached.folder.remove().catch((error: unknown) => {
      this.#log.warn({ err: error, folder: cached.folder.path }, "The folder of a plan could not be removed");
    });
    this.#removing = Promise.all([this.#removing, removed]).then(() => undefined);
  }
}
