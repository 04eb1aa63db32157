import pLimit from "p-limit";
import { isNetworkKind, type Probe } from "../../model/probe/probe.ts";
import type { ProbeTarget } from "../../model/probe/probe-request.ts";
import type { ProbeSample } from "../../model/probe/probe-sample.ts";
import { resolveProbe } from "../../model/probe/resolve-probe.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { checkProbe } from "../workspace/probe-input.ts";
import { commandWorkspaceInSteps, relockWorkspace } from "../workspace/workspace-command.ts";
import { readProbeValues } from "./probe-values.ts";

export interface TestProbeInput {
  workspaceId: string;
  probe: Probe;
}

/** The result of an attempt at one target. */
export interface TestedTarget extends ProbeSample {
  address: string;
}

export interface ProbeTest {
  targets: readonly TestedTarget[];
  /** Why nothing was tried; `null` if something was. */
  problem: string | null;
}

const TRIES = { permission: "WORKSPACE_UPDATE", words: "trying the probes of workspaces" } as const;
/** Runners take the probes of verifications alone. */
const RUNNERS_LATER =
  "A probe with from: RUNNERS is not tried on demand: runners send it at the next verification. Set from to SERVER to try it now.";
/** Requests of one test at a time. */
const AT_ONCE = 4;

/** Tries a probe now, on the newest outputs. Nothing is kept. */
export function testProbe(deps: Deps, caller: ActorCaller, input: TestProbeInput): Promise<ProbeTest> {
  const { workspaceId, probe } = input;
  const spec = {
    ...TRIES,
    name: "testProbe",
    workspaceId,
    check: (check: InputCheck) => checkProbe(deps, check, probe, "probe"),
  };
  return commandWorkspaceInSteps(deps, caller, spec, async (_workspace, check) => {
    check.done();
    const tested = await tryProbe(deps, workspaceId, probe);
    // The targets may have taken a while: their answers are for callers that may still have them.
    await deps.database.transaction((tx) => relockWorkspace(tx, deps, caller, TRIES, workspaceId));
    return tested;
  });
}

async function tryProbe(deps: Deps, workspaceId: string, probe: Probe): Promise<ProbeTest> {
  const untried = (problem: string): ProbeTest => ({ targets: [], problem });
  if (!isNetworkKind(probe.kind)) return untried(`A probe of kind ${probe.kind} is tried after an apply alone.`);
  if (probe.from === "RUNNERS") return untried(RUNNERS_LATER);
  const { targets, unresolved } = resolveProbe(probe, await readProbeValues(deps.database, deps, workspaceId));
  if (unresolved !== null) return untried(unresolved);
  const limit = pLimit(AT_ONCE);
  const attempt = async ({ address, request }: ProbeTarget): Promise<TestedTarget> => ({
    address,
    ...(await deps.prober.probe(request)),
  });
  return { targets: await Promise.all(targets.map((target) => limit(attempt, target))), problem: null };
}
