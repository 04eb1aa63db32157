/** Runs the commands of probes, as jobs run hooks: in a folder of their own, as the engine's user, with its environment. */
import type { CommandContext, SamplingAnswer } from "../../ingestion/wire.ts";
import { failedSample, passedSample, type ProbeSample } from "../../model/probe/probe-sample.ts";
import type { ReportedSamples, SampleCommand } from "../../model/verification/sampling.ts";
import { secretTexts } from "../../model/workspace/secret-texts.ts";
import type { EngineIsolation } from "../engine/engine-command.ts";
import { engineEnvironment } from "../engine/engine-environment.ts";
import { type EngineEndLimits, type EngineExit, runEngine } from "../engine/engine-process.ts";
import { endOrphans, endProcessesOf } from "../engine/orphan-processes.ts";
import { JobControl } from "../job/job-control.ts";
import { JobFolder } from "../job/job-folder.ts";
import type { RunnerLimits } from "../kit/runner-limits.ts";
import type { RunnerLog } from "../kit/runner-log.ts";
import { Masker } from "../mask/masker.ts";
import type { CommandSlots } from "./command-slots.ts";

export interface CommandRunning {
  slots: CommandSlots;
  jobsFolder: string;
  isolation: EngineIsolation;
  /** Environment of the runner that commands may see. */
  inherited: Readonly<Record<string, string>>;
  /** The runner's own token, which is masked in the log. */
  token: string;
  limits: EngineEndLimits & Pick<RunnerLimits, "maskLength" | "commandOutputBytes">;
  log: RunnerLog;
}

const SHELL = "/bin/sh";
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * Runs all commands of a verification at the same time. What they leave behind is ended with them. Those that found no free
 * user before the signal have no sample. Never rejects.
 */
export async function runCommands(
  running: CommandRunning,
  { id, fence, commands, context }: Pick<SamplingAnswer, "id" | "fence" | "commands" | "context">,
  signal: AbortSignal,
): Promise<ReportedSamples[]> {
  if (commands.length === 0 || context === null) return [];
  using slot = await running.slots.take(signal);
  if (slot === null) return [];
  const { jobsFolder, log } = running;
  try {
    const owner = { id: `probe-${id}-${fence}`, token: "", leg: "PLAN" } as const;
    const folder = await JobFolder.create(jobsFolder, owner, slot.uid);
    try {
      const own = { running, folder, uid: slot.uid, context, masker: maskerOf(running, context) };
      return await Promise.all(
        commands.map(async (command, index) => reported(command, await runCommand(command, index, own, signal))),
      );
    } finally {
      await endOrphans(folder, slot.uid);
      await endProcessesOf(slot.uid);
      await folder.remove();
    }
  } catch (error) {
    log.error({ err: error, verificationId: id }, "The commands of probes could not run");
    return commands.map((command) => reported(command, notStarted()));
  }
}

function reported({ name, target, resolvedTarget }: SampleCommand, sample: ProbeSample): ReportedSamples {
  return { name, target, resolvedTarget, samples: [sample] };
}

function maskerOf({ limits, token }: CommandRunning, { variables, outputs, secrets }: CommandContext): Masker {
  const masker = new Masker(limits.maskLength);
  const ofOutputs = outputs.filter(({ sensitive }) => sensitive).map(({ text }) => text);
  masker.add([token, ...secretTexts(variables), ...secrets, ...ofOutputs]);
  return masker;
}

interface OwnFolder {
  running: CommandRunning;
  folder: JobFolder;
  uid: number | null;
  context: CommandContext;
  masker: Masker;
}

/** Runs a command until its time is over: then its process group is killed. */
async function runCommand(
  { name, command, timeoutMs }: SampleCommand,
  index: number,
  { running, folder, uid, context, masker }: OwnFolder,
  signal: AbortSignal,
): Promise<ProbeSample> {
  const { isolation, limits, log } = running;
  using control = new JobControl(0);
  // Nothing of a command needs a grace: it has no state to save.
  const end = (): void => control.lose();
  const timer = setTimeout(end, timeoutMs);
  signal.addEventListener("abort", end, { once: true });
  if (signal.aborted) end();
  const begun = performance.now();
  const output: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer): void => {
    if (bytes < limits.commandOutputBytes) output.push(chunk.subarray(0, limits.commandOutputBytes - bytes));
    bytes += chunk.length;
  };
  try {
    const exit = await runEngine({
      path: SHELL,
      args: ["-c", command],
      cwd: folder.engineFolder,
      environment: environmentOf(running, folder, context, name),
      uid,
      isolation,
      paths: { folder: folder.path, work: folder.engineFolder, cache: null },
      pidFile: folder.numberedEngineFile(index + 1),
      control,
      limits,
      onStdout: take,
      onStderr: take,
    });
    const sample = sampleOf(exit, control.isLost, { timeoutMs, latencyMs: Math.round(performance.now() - begun) });
    const text = masker.mask(Buffer.concat(output).toString());
    log.debug({ probe: name, runId: context.run.id, ok: sample.ok, output: text }, "The command of a probe has ended");
    return sample;
  } catch (error) {
    log.warn({ err: error, probe: name, runId: context.run.id }, "The command of a probe could not run");
    return control.isLost ? timedOut(timeoutMs) : notStarted();
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", end);
  }
}

function environmentOf(
  { inherited }: CommandRunning,
  { home, tmp }: JobFolder,
  { run, workspace, variables, outputs }: CommandContext,
  probe: string,
): Record<string, string> {
  const folders = { home, tmp, pluginCache: null };
  return {
    PATH: DEFAULT_PATH,
    ...engineEnvironment(inherited, variables, folders, { collector: {}, backend: {} }),
    HOLDPOINT_RUN_ID: run.id,
    HOLDPOINT_RUN_NUMBER: String(run.number),
    HOLDPOINT_WORKSPACE: workspace,
    HOLDPOINT_PROBE: probe,
    ...Object.fromEntries(outputs.map(({ name, text }) => [name, text])),
  };
}

/** No sample holds a part of the output. */
function sampleOf(
  { code, signal }: Pick<EngineExit, "code" | "signal">,
  isOver: boolean,
  { timeoutMs, latencyMs }: { timeoutMs: number; latencyMs: number },
): ProbeSample {
  if (code === 0) return passedSample(latencyMs);
  if (isOver) return timedOut(timeoutMs);
  const how = code === null ? `was ended by the signal ${signal ?? "?"}` : `ended with exit code ${code}`;
  return failedSample("COMMAND", `The command ${how}.`, latencyMs);
}

function timedOut(ms: number): ProbeSample {
  return failedSample("TIMEOUT", `The command did not end within ${ms} ms.`);
}

/** The runner is at fault, not what was applied. */
function notStarted(): ProbeSample {
  return failedSample("NO_PROBER", "The runner could not start the command. Its log has the reason.");
}
