/** Caches the folder of a plan on its runner, so that the apply need not fetch and initialise it again. */
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

/** The facts of a plan that its apply needs; the engine is not asked again. */
export interface PlanSummary {
  /** Texts that the log must not show. */
  readonly secrets: readonly string[];
  /** The number of operations, by address. */
  readonly operations: ReadonlyMap<string, number>;
}

export interface CachedPlan extends PlanSummary {
  readonly runId: string;
  /** SHA-256 of the plan file. */
  readonly planDigest: string;
  /** Digest of the whole folder when the plan was handed over. */
  readonly contentDigest: string;
  readonly folder: JobFolder;
}

/** Summarizes a plan; `null` if the summary is too large to keep in memory. */
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
 * Removes the files of variables, which the apply writes again, and computes the digest of the rest; `null` if it is
 * not to be cached. No process of the engine may run.
 */
export async function sealFolder(folder: JobFolder, limits: PlanCacheLimits): Promise<string | null> {
  await folder.requireEngineFolder();
  for (const name of await readdir(folder.engineFolder)) {
    if (isVariablesFile(name)) await rm(join(folder.engineFolder, name), { recursive: true, force: true });
  }
  const errored = await lstat(folder.erroredStateFile).catch(() => null);
  return errored === null ? digestWork(folder, limits) : null;
}

/**
 * Copies a cached plan into the fresh folder of the apply. A copy, because processes of the plan may still hold an open
 * file, a hard link or an access list of the original. Gives false if the copy differs from the sealed folder, or the plan
 * file from the approved plan; then the folder is empty again.
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
  // The folder may have become unreadable.
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

/** Caches one plan of a slot. The next job of the slot, of any run, evicts it, as does a time limit. */
export class PlanCache implements AsyncDisposable {
  readonly #maxAgeMs: number;
  readonly #log: RunnerLog;
  #cached: CachedPlan | null = null;
  #timer: NodeJS.Timeout | undefined;
  #removing: Promise<void> = Promise.resolve();

  constructor(maxAgeMs: number, log: RunnerLog) {
    this.#maxAgeMs = maxAgeMs;
    this.#log = log;
  }

  put(cached: CachedPlan): void {
    this.#clear();
    this.#cached = cached;
    this.#timer = setTimeout(() => this.#clear(), this.#maxAgeMs).unref();
  }

  /** Gives the cached plan of this job and empties the cache. The caller removes its folder. */
  async take({ run, leg, plan, hooks }: Job): Promise<CachedPlan | null> {
    const cached = this.#cached;
    const isHit =
      cached?.runId === run.id && isApplyLeg(leg) && cached.planDigest === plan?.digest && hooks.length === 0;
    if (isHit) this.#cached = null;
    this.#clear();
    await this.#removing;
    return isHit ? cached : null;
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
