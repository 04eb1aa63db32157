import { access } from "node:fs/promises";
import { join } from "node:path";
import type { FailureReport } from "../model/failure.ts";
import { type ApplyFacts, judgeApply } from "./apply-outcome.ts";
import { writeVariables } from "./engine-files.ts";
import type { EventOutput } from "./engine-output.ts";
import { type EngineResult, EngineSession } from "./engine-session.ts";
import { unpackHandover } from "./handover.ts";
import type { JobContext } from "./job-context.ts";
import { JobStopped } from "./job-control.ts";
import { badEnd, type FailureFacts, failureReport, LegFailure } from "./leg-failure.ts";
import { sensitiveTexts } from "./plan-secrets.ts";
import type { FoundEngine } from "./runner-options.ts";
import { ProtocolRefusal } from "./server-request.ts";
import { howItEnded, neverStarted } from "./source-work.ts";
import { ArchiveRefused } from "./unpack.ts";

type ApplyLeg = "APPLY" | "DESTROY";

const NOT_RUN: EngineResult = {
  code: null,
  signal: null,
  interrupted: true,
  killed: false,
  stderr: "",
  lockRefused: false,
  stateSerial: 0,
};

/** The legs APPLY and DESTROY: exactly the approved plan, by exactly the engine that made it. */
export async function runApplyLeg(context: JobContext, leg: ApplyLeg): Promise<void> {
  const { client, control, log, options } = context;
  // Nobody is asked about this plan: the run has been applying since it was reported.
  const begun = control.applying;
  if (begun) log.phase = leg;
  const engine = requireSameEngine(context);
  await log.write(`Runner ${options.name}, ${engine.name} ${engine.version}`);
  const session = new EngineSession(context, engine);
  if (begun) {
    if (!(await restoreBegun(context, session))) return conclude(context, leg, NOT_RUN, null);
  } else {
    await restore(context, session);
    control.beginApply();
  }
  await log.flush();
  if (!(await client.report({ type: "prepared" }))) return;

  log.phase = leg;
  const { result, output } = await apply(context, session);
  control.engineEnded();
  await conclude(context, leg, result, output);
}

/** false: it was interrupted. Such a job cannot be handed back, so it ends as an apply that did nothing. */
async function restoreBegun(context: JobContext, session: EngineSession): Promise<boolean> {
  try {
    await restore(context, session);
    context.control.throwIfStopped();
    return true;
  } catch (error) {
    if (context.control.reason === null || context.control.over) throw error;
    context.control.engineEnded();
    return false;
  }
}

function requireSameEngine(context: JobContext): FoundEngine {
  const { job, options } = context;
  const wanted = job.plan?.engine;
  const { engine } = options;
  if (engine !== null && engine.name === wanted?.name && engine.version === wanted.version) return engine;
  const has = engine === null ? "no engine" : `${engine.name} ${engine.version}`;
  const summary = `The plan was made by ${wanted?.name} ${wanted?.version}; runner ${options.name} has ${has}.`;
  throw new LegFailure(failureReport(context, { code: "ENGINE_MISSING", stage: "SETUP", summary }));
}

/** Makes the folder as it was when the plan was made, and the masker know what the plan hides. */
async function restore(context: JobContext, session: EngineSession): Promise<void> {
  const { client, folder, job, control, limits, options, log, masker } = context;
  const digest = job.plan?.digest ?? "";
  try {
    await client.download("archive", folder.transferFile);
    await unpackHandover(folder, digest, { uid: options.engineUid, limits, signal: control.stop });
  } catch (error) {
    if (!(error instanceof ArchiveRefused || error instanceof ProtocolRefusal) || control.over) throw error;
    throw handoverFailed(context, `The prepared workspace could not be restored: ${error.message}`);
  }
  await log.write(`Plan ${job.plan?.version ?? ""}, digest ${digest.slice(0, 12)}`);
  await writeVariables(folder, job.variables);
  const locked = await access(join(folder.work, ".terraform.lock.hcl")).then(
    () => true,
    () => false,
  );
  const result = await session
    .init(locked ? ["-lockfile=readonly"] : [])
    .catch((error: unknown) => neverStarted(context, error));
  control.throwIfStopped();
  if (result.code !== 0)
    throw handoverFailed(context, `The engine could not initialise (${howItEnded(result)}).`, result.text);
  masker.add(sensitiveTexts(await session.showJson()));
}

function handoverFailed(context: JobContext, summary: string, text = summary): LegFailure {
  return new LegFailure(failureReport(context, { code: "HANDOVER_FAILED", stage: "SETUP", summary, text }));
}

/** A stop in the instant before the engine starts is an interrupted apply that did nothing. */
async function apply(
  context: JobContext,
  session: EngineSession,
): Promise<{ result: EngineResult; output: EventOutput | null }> {
  try {
    return await session.apply();
  } catch (error) {
    if (error instanceof JobStopped) return { result: NOT_RUN, output: null };
    return neverStarted(context, error);
  }
}

async function conclude(
  context: JobContext,
  leg: ApplyLeg,
  result: EngineResult,
  output: EventOutput | null,
): Promise<void> {
  const { client, control, folder, delivery, log } = context;
  const settled = await delivery.settle(await folder.readFromEngine(folder.erroredStateFile));
  if (settled !== null) folder.keep("its state was not delivered");
  const appliedAddresses = output?.appliedAddresses ?? [];
  const errors = output?.errors ?? [];
  const facts: ApplyFacts = { leg, exit: result, errors, appliedAddresses, lockRefused: result.lockRefused, settled };
  const outcome = judgeApply(facts);
  await log.flush();
  if (outcome.applied) {
    await client.report({
      type: "applied",
      appliedAddresses: appliedAddresses.map((address) => context.masker.mask(address)),
    });
    return;
  }
  const failure = describe(
    context,
    facts,
    { code: outcome.code, stateUncertain: outcome.stateUncertain },
    result,
    output,
  );
  await client.report(badEnd(control, failure));
}

function describe(
  context: JobContext,
  { leg, errors, settled, appliedAddresses }: ApplyFacts,
  outcome: Pick<FailureFacts, "code" | "stateUncertain">,
  result: EngineResult,
  output: EventOutput | null,
): FailureReport {
  const what = leg === "DESTROY" ? "destroy" : "apply";
  const unsaved = settled === null ? "" : unsavedText(context, settled.problem);
  const report = failureReport(context, {
    ...outcome,
    stage: "APPLY",
    summary: `The ${what} did not end well (${result.interrupted ? "interrupted" : howItEnded(result)}).`,
    errors,
    text: [result.stderr, unsaved].filter((text) => text !== "").join("\n"),
    likelyCause: likelyCause(output?.taintedAddresses ?? []),
    appliedAddresses: [...appliedAddresses],
  });
  const summary = SUMMARIES[outcome.code];
  return summary === undefined ? report : { ...report, summary };
}

/** Where the engine's first complaint is not what matters. */
const SUMMARIES: Partial<Record<FailureFacts["code"], string>> = {
  STATE_NOT_SAVED: "The apply changed infrastructure, but its state could not be stored.",
  APPLY_INTERRUPTED: "The apply was interrupted.",
};

function unsavedText({ options, folder }: JobContext, problem: string): string {
  return `${problem}. The state is kept by runner ${options.name} in ${folder.path}; nothing else knows what was changed.`;
}

function likelyCause(tainted: readonly string[]): string | undefined {
  if (tainted.length === 0) return undefined;
  return `A provisioner failed after the resource itself was made: the next plan replaces ${tainted.join(", ")}.`;
}
