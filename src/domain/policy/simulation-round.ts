/** Works off simulations: judges the documents of past plans, and stores what came of them. */
import { LIMITS } from "../../model/kit/limits.ts";
import type { PolicyFinding } from "../../model/policy/evaluator.ts";
import type { PolicySet } from "../../model/policy/policy-set.ts";
import { judgementOf, type SimulatedFinding, type SimulatedPlan } from "../../model/policy/policy-simulation.ts";
import type { PolicySource } from "../../model/policy/policy-source.ts";
import { findPolicySets } from "../../persistence/policy/policy-set-store.ts";
import {
  endSimulation,
  type LeasedSimulation,
  leaseSimulation,
  listOpenPlans,
  storeSimulated,
} from "../../persistence/policy/policy-simulation-store.ts";
import type { Deps } from "../kit/deps.ts";
import { readPlanInput } from "./plan-input.ts";
import { readPolicySources } from "./read-policy-source.ts";

type Judged = Pick<SimulatedPlan, "position" | "after" | "findings" | "error">;

/**
 * Judges plans of simulations, some of each in turn, until no simulation is left that this server can take. A server that
 * ends is replaced after its lease: what it did not store is judged again, which gives the same.
 */
export async function simulationRound(deps: Deps, signal: AbortSignal, by: string): Promise<void> {
  for (;;) {
    if (signal.aborted) return;
    const now = deps.clock().getTime();
    const lease = { by, at: iso(now), until: iso(now + LIMITS.simulationLeaseMs) };
    const leased = await deps.database.transaction((tx) => leaseSimulation(tx, lease));
    if (leased === null) return;
    await step(deps, leased, { by, signal });
  }
}

const iso = (ms: number): string => new Date(ms).toISOString();

async function step(
  deps: Deps,
  simulation: LeasedSimulation,
  { by, signal }: { by: string; signal: AbortSignal },
): Promise<void> {
  const { id, setId, versionId } = simulation;
  const [set = null] = await findPolicySets(deps.database, [setId]);
  if (set === null) {
    await deps.database.transaction((tx) =>
      endSimulation(tx, id, { state: "STOPPED", at: deps.clock().toISOString() }),
    );
    return;
  }
  const own = simulation.source;
  const [source] = own?.language === "CEL" ? [own] : await readPolicySources(deps, [versionId ?? ""]);
  if (source === undefined) throw new Error(`The simulation ${id} has no source.`);
  const judged: Judged[] = [];
  const until = deps.clock().getTime() + LIMITS.simulationStepMs;
  for (const plan of await listOpenPlans(deps.database, id, LIMITS.simulationStepPlans)) {
    if (signal.aborted) break;
    judged.push(await judgePlan(deps, { set, source, plan, signal }));
    if (deps.clock().getTime() >= until) break;
  }
  const at = deps.clock().toISOString();
  await deps.database.transaction((tx) => storeSimulated(tx, { id, by, at }, judged));
}

async function judgePlan(
  deps: Deps,
  { set, source, plan, signal }: { set: PolicySet; source: PolicySource; plan: SimulatedPlan; signal: AbortSignal },
): Promise<Judged> {
  const { position, planId } = plan;
  const input = await readPlanInput(deps, planId, { point: "PLAN", at: deps.clock().toISOString() });
  if (input === null) return { position, after: "UNKNOWN", findings: [], error: null };
  const { document, documentKey, context } = input;
  const { truncated } = context.holdpoint;
  if (set.needsWholePlan && truncated.length > 0) {
    const error = `The set needs the whole plan, and the document lacks ${truncated.join(", ")}.`;
    return { position, after: "ERRORED", findings: [], error };
  }
  const given = { point: "PLAN", dialect: set.dialect, document, documentKey, context } as const;
  // Runs and people wait for their judgements, and not for this one.
  const judgement = await deps.evaluator.judge(source, given, LIMITS.policyTrial, { signal, isBackground: true });
  const findings = judgement.findings.slice(0, LIMITS.simulatedFindings).map(bounded);
  const error = judgement.errors[0]?.message.slice(0, LIMITS.simulatedMessageLength).toWellFormed() ?? null;
  return { position, after: judgementOf(judgement), findings, error };
}

function bounded({ trace: _trace, ...finding }: PolicyFinding): SimulatedFinding {
  const most = LIMITS.simulatedMessageLength;
  const clip = (text: string): string => text.slice(0, most).replaceAll("\0", "").toWellFormed();
  return {
    ...finding,
    rule: clip(finding.rule),
    message: clip(finding.message),
    remediation: finding.remediation === null ? null : clip(finding.remediation),
    addresses: finding.addresses.slice(0, LIMITS.simulatedAddresses).map(clip),
  };
}
