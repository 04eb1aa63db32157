import { createHash } from "node:crypto";
import type { PlanContent } from "../model/plan.ts";
import { EngineSession } from "./engine-session.ts";
import { packHandover } from "./handover.ts";
import { hasHooks, requireSamePlan, runHooks } from "./hooks.ts";
import type { JobContext } from "./job-context.ts";
import { failureReport, howItEnded, LegFailure } from "./leg-failure.ts";
import { readableLines } from "./log-text.ts";
import { describePlan } from "./plan-content.ts";
import { sensitiveTexts } from "./plan-secrets.ts";
import type { FoundEngine } from "./runner-options.ts";
import { fetchSource, initialiseWithHooks, prepareWork, requireEngine } from "./source-work.ts";

const EXIT_CHANGES = 2;

/** The legs PLAN and REPLAN: from the source to a saved plan that another runner can apply. */
export async function runPlanLeg(context: JobContext): Promise<void> {
  const { client, control, log, options } = context;
  const engine = requireEngine(context);
  await log.write(`Runner ${options.name}, ${engine.name} ${engine.version}`);
  await fetchSource(context);
  await prepareWork(context);
  await log.flush();
  if (!(await client.report({ type: "prepared" }))) return;

  log.phase = "INIT";
  const session = new EngineSession(context, engine);
  await initialiseWithHooks(context, session);
  await runHooks(context, session, "BEFORE_PLAN", null);
  await log.flush();
  if (!(await client.report({ type: "initialized" }))) return;

  log.phase = "PLAN";
  const plan = await makePlan(context, session, engine);
  await runHooks(context, session, "AFTER_PLAN", context.folder.planFile);
  if (hasHooks(context, "AFTER_PLAN")) await requireSamePlan(context, "AFTER_PLAN", plan.digest);
  control.throwIfStopped();
  await handOver(context);
  await log.flush();
  await client.report({ type: "planned", plan });
}

async function makePlan(context: JobContext, session: EngineSession, engine: FoundEngine): Promise<PlanContent> {
  const { job, folder, masker, control, limits, log } = context;
  const speculative = job.run.kind === "PLAN";
  const args = [
    ...(speculative ? ["-lock=false"] : []),
    ...(job.run.kind === "DESTROY" ? ["-destroy"] : []),
    ...(job.refreshOnly ? ["-refresh-only"] : []),
    ...job.targets.map((address) => `-target=${address}`),
    ...job.replace.map((address) => `-replace=${address}`),
  ];
  const { result, output } = await session.plan(args, speculative ? "READ" : "LOCK");
  control.throwIfStopped();
  if (result.code !== 0 && result.code !== EXIT_CHANGES) {
    throw new LegFailure(
      failureReport(context, {
        code: result.lockRefused ? "STATE_LOCK_HELD" : "PLAN_FAILED",
        stage: result.lockRefused ? "INIT" : "PLAN",
        summary: `The engine could not make a plan (${howItEnded(result)}).`,
        errors: output.errors,
        text: result.stderr,
      }),
    );
  }
  const file = await folder.readFromEngine(folder.planFile);
  if (file === undefined) throw new Error("The engine made no plan file");
  const json = await session.showJson();
  masker.add(sensitiveTexts(json));
  const text = masker.mask(
    readableLines(await session.showText())
      .join("\n")
      .trim(),
  );
  if (text.length > limits.planTextBytes) await log.write("The plan's text is too long and is not shown.");
  return {
    engine: { name: engine.name, version: engine.version },
    digest: createHash("sha256").update(file).digest("hex"),
    hasChanges: result.code === EXIT_CHANGES && json.applyable !== false,
    stateSerial: result.stateSerial,
    text,
    ...describePlan(json, job.targets.length > 0, masker),
  };
}

async function handOver(context: JobContext): Promise<void> {
  const { client, folder, log } = context;
  const { leftOut } = await packHandover(folder, context.control.stop);
  if (leftOut.length > 0) {
    await log.write(
      `Not handed over to the apply (links out of the folder, or no files): ${leftOut.slice(0, 20).join(", ")}`,
    );
  }
  await client.uploadArchive(folder.transferFile);
}
