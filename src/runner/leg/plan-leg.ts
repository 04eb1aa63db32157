import { createHash } from "node:crypto";
import type { PlanContent } from "../../model/plan/plan.ts";
import { missingInstances, missingTargets } from "../../model/plan/targets.ts";
import { describeAddedArguments } from "../engine/engine-arguments.ts";
import type { Diagnostic } from "../engine/engine-event.ts";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import { readableLines } from "../log/log-text.ts";
import { describePlan } from "../plan/plan-content.ts";
import type { PlanDocument } from "../plan/plan-document.ts";
import { addressesOf, instancesOf, type PlanJson } from "../plan/plan-json.ts";
import { sensitiveTexts } from "../plan/plan-secrets.ts";
import { type EngineResult, EngineSession } from "../session/engine-session.ts";
import { failureReport, describeExit, LegFailure, type ReportContext } from "../session/failure-report.ts";
import { reportedDiagnostics } from "../session/reported-diagnostics.ts";
import { packHandover } from "./handover.ts";
import { hasHooks, requireSamePlan, runHooks } from "./hooks.ts";
import type { JobContext } from "./job-context.ts";
import { beginDocument, sendDocument } from "./document-delivery.ts";
import { readModuleFolders } from "./module-folders.ts";
import { enterPhase } from "./phase-change.ts";
import { runTests } from "./test-phase.ts";
import { type CachedPlan, type PlanSummary, summarizePlan, sealFolder } from "./plan-cache.ts";
import { fetchSource, initialiseWithHooks, prepareWork, requireEngine } from "./work-preparation.ts";

const EXIT_CHANGES = 2;
const TARGET_CAUSE =
  "A target is the address of a resource, of one of its instances or of a module, with the keys of the modules before it, as a plan writes it.";
const REPLACE_CAUSE =
  "An address to replace is that of one instance, with its key (count, for_each) and the keys of the modules before it, as a plan writes it.";

/**
 * Runs the legs PLAN and REPLAN: from the source to a saved plan that any runner can apply. Gives the plan to cache, for
 * the case that this runner gets the apply.
 */
export async function runPlanLeg(context: JobContext): Promise<Omit<CachedPlan, "folder"> | null> {
  const { client, control, log, runner } = context;
  const engine = requireEngine(context);
  await log.write(`Runner ${runner.name}, ${engine.name} ${engine.version}`);
  await fetchSource(context);
  await prepareWork(context);
  const session = new EngineSession(context, engine);
  await enterPhase("INIT", context, session, { type: "prepared" });
  await initialiseWithHooks(context, session);
  await runHooks(context, session, "BEFORE_PLAN", null);
  const moduleFolders = await readModuleFolders(context.folder);
  await runTests(context, session, engine);
  await enterPhase("PLAN", context, session, {
    type: "initialized",
    ...(moduleFolders.length > 0 && { moduleFolders }),
  });
  const made = await makePlan(context, session);
  // Hooks may still change the folder: then the handover follows them. Else it runs while the engine describes the plan.
  const hooksFollow = hasHooks(context, "AFTER_PLAN");
  const handedOver = hooksFollow ? null : handOver(context);
  const described = describe(context, session, engine, made);
  // Hooks may still add to the document.
  const sent = hooksFollow ? null : described.then(({ document }) => sendDocument(context, document));
  await Promise.allSettled([handedOver, described, sent]);
  const { content, summary, document } = await described;
  using begun = document;
  await sent;
  await logOmitted(context, await handedOver);
  await runHooks(context, session, "AFTER_PLAN", context.folder.planFile);
  if (hooksFollow) await requireSamePlan(context, "AFTER_PLAN", content.digest);
  control.throwIfStopped();
  if (handedOver === null) await logOmitted(context, await handOver(context));
  if (hooksFollow) await sendDocument(context, begun);
  const cached = planToCache(context, session, content, summary);
  await log.flush();
  const isStopped = control.reason !== null;
  await client.report({ type: "planned", plan: content });
  return isStopped ? null : await cached;
}

/** Gives the plan to cache; `null` if no apply can use it, or orphans may have changed it. */
async function planToCache(
  { job, folder, limits }: Pick<JobContext, "job" | "folder" | "limits">,
  session: EngineSession,
  { digest, hasChanges }: PlanContent,
  summary: PlanSummary | null,
): Promise<Omit<CachedPlan, "folder"> | null> {
  const { kind, id } = job.run;
  if (summary === null || !hasChanges || kind === "PLAN" || job.hooks.length > 0 || session.leftOrphans) return null;
  // A folder that cannot be read must not fail the plan.
  const contentDigest = await sealFolder(folder, limits).catch(() => null);
  return contentDigest === null ? null : { runId: id, planDigest: digest, contentDigest, ...summary };
}

/** A plan before its description. */
interface MadePlan {
  result: EngineResult;
  digest: string;
  diagnostics: readonly Diagnostic[];
}

function plan({ job }: Pick<JobContext, "job">, session: EngineSession) {
  const speculative = job.run.kind === "PLAN";
  const args = [
    ...(speculative ? ["-lock=false"] : []),
    ...(job.run.kind === "DESTROY" ? ["-destroy"] : []),
    ...(job.refreshOnly ? ["-refresh-only"] : []),
    ...job.targets.map((address) => `-target=${address}`),
    ...job.replace.map((address) => `-replace=${address}`),
  ];
  return session.plan(args, speculative ? "READ" : "LOCK");
}

async function makePlan(
  context: Pick<JobContext, "job" | "folder" | "control"> & ReportContext,
  session: EngineSession,
): Promise<MadePlan> {
  const { job, folder, control } = context;
  const { result, output } = await plan(context, session);
  control.throwIfStopped();
  const failed = result.code !== 0 && result.code !== EXIT_CHANGES;
  const file = failed ? undefined : await folder.readFromEngine(folder.planFile);
  if (file === undefined) {
    throw new LegFailure(
      failureReport(context, {
        code: result.lockRefused ? "STATE_LOCK_HELD" : "PLAN_FAILED",
        stage: result.lockRefused ? "INIT" : "PLAN",
        summary: `The engine ${failed ? "could not make a plan" : "made no plan file"} (${describeExit(result)}).`,
        errors: output.errors,
        diagnostics: output.diagnostics,
        text: result.stderr,
        likelyCause: failed ? undefined : describeAddedArguments(job.variables),
      }),
    );
  }
  const digest = createHash("sha256").update(file).digest("hex");
  return { result, digest, diagnostics: output.diagnostics };
}

async function describe(
  context: Pick<JobContext, "job" | "masker" | "limits" | "log">,
  session: EngineSession,
  { name, version }: FoundEngine,
  { result, digest, diagnostics }: MadePlan,
): Promise<{ content: PlanContent; summary: PlanSummary | null; document: PlanDocument | null }> {
  const { job, masker, limits, log } = context;
  const { plan: json, whole, text: shown } = await session.show();
  masker.addMarked(sensitiveTexts(json));
  masker.addAddresses(addressesOf(json));
  requireAddresses(context, json);
  const text = masker.mask(readableLines(shown).join("\n").trim());
  if (text.length > limits.planTextBytes) await log.write("The text of the plan is too long and is not shown.");
  const content: PlanContent = {
    engine: { name, version },
    digest,
    hasChanges: result.code === EXIT_CHANGES && json.applyable !== false,
    stateSerial: result.stateSerial,
    text,
    ...describePlan(evaluated(job, json), job.targets.length > 0, masker),
    ...reportedDiagnostics({ masker, log }, diagnostics),
  };
  return { content, summary: summarizePlan(json, limits), document: await beginDocument(context, whole) };
}

/** A plan that destroys everything lists the check blocks, and evaluates none. */
function evaluated({ run }: Pick<JobContext["job"], "run">, plan: PlanJson): PlanJson {
  return run.kind === "DESTROY" ? { ...plan, checks: undefined } : plan;
}

/**
 * Fails for addresses that match nothing. The engine plans nothing for such a target, and for a missing instance what
 * that would depend on. It ignores such an address to replace.
 */
function requireAddresses(context: Pick<JobContext, "job"> & ReportContext, json: PlanJson): void {
  const { targets, replace } = context.job;
  const instances = instancesOf(json);
  const missing = [
    { words: ["target", "targets"], addresses: missingTargets(targets, instances), likelyCause: TARGET_CAUSE },
    {
      words: ["address to replace", "addresses to replace"],
      addresses: missingInstances(replace, instances),
      likelyCause: REPLACE_CAUSE,
    },
  ].find(({ addresses }) => addresses.length > 0);
  if (missing === undefined) return;
  const { words, addresses, likelyCause } = missing;
  const summary = `Nothing matches the ${words[addresses.length === 1 ? 0 : 1]} ${addresses.join(", ")}.`;
  throw new LegFailure(failureReport(context, { code: "TARGET_NOT_FOUND", stage: "PLAN", summary, likelyCause }));
}

/** Uploads the folder for the apply. Gives the names of omitted entries. */
async function handOver({
  client,
  folder,
  control,
}: Pick<JobContext, "client" | "folder" | "control">): Promise<string[]> {
  const { omitted } = await packHandover(folder, control.stop);
  await client.uploadArchive(folder.transferFile);
  return omitted;
}

/** Logs omitted entries, once the masker has the sensitive values of the plan. */
async function logOmitted({ log }: Pick<JobContext, "log">, omitted: readonly string[] | null): Promise<void> {
  if (omitted === null || omitted.length === 0) return;
  const names = omitted.slice(0, 20).join(", ");
  await log.write(`Not handed over to the apply (links out of the folder, or no files): ${names}`);
}
