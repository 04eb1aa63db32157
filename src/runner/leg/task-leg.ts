import type { FailureReport } from "../../model/lifecycle/failure.ts";
import { JobStopped } from "../job/job-control.ts";
import { type EngineResult, EngineSession } from "../session/engine-session.ts";
import { unsuccessfulReport, failureReport, describeExit, type ReportContext } from "../session/failure-report.ts";
import type { SettleResult } from "../state/state-delivery.ts";
import { settleState } from "../state/state-settlement.ts";
import type { JobContext } from "./job-context.ts";
import { judgeTask, type TaskFailed } from "./task-outcome.ts";
import { fetchSource, initialiseWithHooks, failNotStarted, prepareWork, requireEngine } from "./work-preparation.ts";

type TaskResult = Awaited<ReturnType<EngineSession["perform"]>>;

const NOT_RUN: TaskResult = {
  code: null,
  signal: null,
  interrupted: true,
  killed: false,
  stderr: "",
  text: "",
  lockRefused: false,
  stateSerial: 0,
};

/** Runs the leg of a TASK: one command in a folder prepared as for a plan, with the state access of an apply. */
export async function runTaskLeg(context: JobContext): Promise<void> {
  const { client, control, job, log, runner } = context;
  const engine = requireEngine(context);
  await log.write(`Runner ${runner.name}, ${engine.name} ${engine.version}`);
  await fetchSource(context);
  await prepareWork(context);
  await log.flush();
  if (!(await client.report({ type: "prepared" }))) return;

  log.phase = "INIT";
  const session = new EngineSession(context, engine);
  await initialiseWithHooks(context, session);
  await log.flush();
  control.beginApply();
  if (!(await client.report({ type: "initialized" }))) return;

  await performAndReport(context, session, job.command ?? "");
}

/** Runs one shell command and reports how it ended. The phase before it must be over. */
export async function performAndReport(context: JobContext, session: EngineSession, command: string): Promise<void> {
  const { client, control, delivery, folder, log } = context;
  log.phase = "PERFORM";
  const result = await perform(context, session, command);
  control.engineEnded();
  const settled = await settleState(folder, delivery);
  const outcome = judgeTask({ exit: result, settled, lockHeld: delivery.lockHeld });
  await log.write(`The command ended: ${describeExit(result)}.`);
  await log.flush();
  if (outcome.performed) {
    await client.report({ type: "performed" });
    return;
  }
  const failure = describe(context, outcome, result, settled);
  await client.report(unsuccessfulReport(control, failure));
}

/** Runs the command. A stop just before it starts gives an interrupted task that did nothing. */
async function perform(
  context: Pick<JobContext, "log"> & ReportContext,
  session: EngineSession,
  command: string,
): Promise<TaskResult> {
  const { log } = context;
  try {
    await log.write(`$ ${command}`);
    return await session.perform(command);
  } catch (error) {
    if (error instanceof JobStopped) return NOT_RUN;
    return failNotStarted(context, error);
  }
}

function describe(
  context: Pick<JobContext, "runner" | "folder"> & ReportContext,
  { code, stateUncertain }: TaskFailed,
  result: EngineResult & { text: string },
  settled: SettleResult,
): FailureReport {
  const { runner, folder } = context;
  const unsaved =
    settled === null
      ? ""
      : `${settled.problem}. Runner ${runner.name} keeps the state in ${folder.path}, the only copy. Do not remove it.`;
  const text = [result.text, unsaved].filter((part) => part !== "").join("\n");
  const summary = summaryOf({ code, stateUncertain }, result);
  // The first error of an engine in a script need not be the reason why the script failed.
  return { ...failureReport(context, { code, stage: "DEPLOY", summary, text, stateUncertain }), summary };
}

function summaryOf(
  { code, stateUncertain }: Pick<TaskFailed, "code" | "stateUncertain">,
  result: EngineResult,
): string {
  if (code === "STATE_NOT_SAVED") return "The command changed the state, but it could not be stored.";
  if (code === "APPLY_INTERRUPTED") return "The command was interrupted.";
  if (stateUncertain) return `The command left the state locked (${describeExit(result)}).`;
  return `The command failed (${describeExit(result)}).`;
}
