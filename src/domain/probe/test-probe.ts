import pLimit from "p-limit";
import type { GivenProbe } from "../../model/probe/kept-secrets.ts";
import { isNetworkKind, type Probe } from "../../model/probe/probe.ts";
import type { ProbeTarget } from "../../model/probe/probe-request.ts";
import type { ProbeSample } from "../../model/probe/probe-sample.ts";
import { resolveProbe } from "../../model/probe/resolve-probe.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Deps } from "../kit/deps.ts";
import { checkProbe } from "../workspace/probe-input.ts";
import { commandWorkspaceInSteps, relockWorkspace } from "../workspace/workspace-command.ts";
import { readProbeValues } from "./probe-values.ts";
import { testByRunner } from "./test-by-runner.ts";

export interface TestProbeInput {
  workspaceId: string;
  probe: GivenProbe;
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
/** Requests of one test at a time. */
const AT_ONCE = 4;

/** Tries a probe now, on the newest outputs. Nothing is kept. */
export function testProbe(deps: Deps, caller: ActorCaller, input: TestProbeInput): Promise<ProbeTest> {
  const { workspaceId, probe: given } = input;
  const owner = { ...deps, workspaceId };
  const spec = { ...TRIES, name: "testProbe", workspaceId };
  return commandWorkspaceInSteps(deps, caller, spec, async (_workspace, check) => {
    const probe = await checkProbe(deps, check, { given, field: "probe", owner });
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
  const { targets, unresolved } = resolveProbe(probe, await readProbeValues(deps.database, deps, workspaceId));
  if (unresolved !== null) return untried(unresolved);
  if (probe.from === "SERVER") return { targets: await tryByServer(deps, targets), problem: null };
  const tested = await testByRunner(deps, { workspaceId, name: probe.name, targets });
  if ("missing" in tested) return untried(tested.missing);
  return { targets: zip(targets, tested.samples), problem: null };
}

async function tryByServer({ prober }: Pick<Deps, "prober">, targets: readonly ProbeTarget[]): Promise<TestedTarget[]> {
  const limit = pLimit(AT_ONCE);
  return zip(targets, await limit.map(targets, ({ request }) => prober.probe(request)));
}

function zip(targets: readonly ProbeTarget[], samples: readonly ProbeSample[]): TestedTarget[] {
  return targets.flatMap(({ address }, index) => {
    const sample = samples[index];
    return sample === undefined ? [] : [{ address, ...sample }];
  });
}
