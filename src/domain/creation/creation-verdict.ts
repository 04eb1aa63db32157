/** Decides by the judgement of policies whether a run is created, in the transaction that creates it. */
import { type PolicyDenial, UserError } from "../../model/kit/user-error.ts";
import { JUDGEMENT_LIMITS } from "../../model/policy/judgement-limits.ts";
import { judgesAt, type Judge } from "../../model/policy/judge.ts";
import { evaluationStatus, type StoredResultStatus } from "../../model/policy/policy-evaluation.ts";
import { type Finding, type Verdict, verdictOf } from "../../model/policy/verdict.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { insertJudgedEvaluations } from "../../persistence/policy/evaluation-store.ts";
import { insertResults } from "../../persistence/policy/result-store.ts";
import type { Deps } from "../kit/deps.ts";
import { denialFailure } from "../policy/denial-failure.ts";
import { noteWaivers } from "../policy/note-waivers.ts";
import { toFinding } from "../policy/policy-judges.ts";
import { findWaivers } from "../policy/waivers.ts";
import { type JudgedOrder, readCreationInput } from "./creation-input.ts";
import type { VersionJudgement } from "./creation-judgement.ts";
import { type CreationPolicies, UnjudgedCreation } from "./creation-policies.ts";

/** A judgement by which a run is created. */
export interface CreationVerdict {
  versions: readonly VersionJudgement[];
  findings: readonly Finding[];
  /** The exceptions by the findings that they cover. */
  waivers: ReadonlyMap<string, string>;
  /** The number of the advisory findings that stop auto-apply. */
  warnings: number;
  /** Why the run is SKIPPED; `null` if nothing denies it. */
  skipReason: string | null;
}

/**
 * Returns the judgement of a new run; `null` if no policy is asked, which costs no statement. Throws UnjudgedCreation unless the
 * judgement of exactly this input is at hand, and POLICY_DENIED. Nothing is written.
 */
export async function readCreationVerdict(
  tx: Transaction,
  deps: Pick<Deps, "cipher" | "clock">,
  { judges: ofWorkspace, ...order }: JudgedOrder,
  { judged, denied }: CreationPolicies,
): Promise<CreationVerdict | null> {
  const judges: Judge[] = judgesAt(ofWorkspace, "RUN_CREATE", { kind: order.run.kind, plan: null });
  if (judges.length === 0) return null;
  const input = await readCreationInput(tx, deps, { ...order, judges });
  const versions = judged.get(input.digest);
  if (versions === undefined) throw new UnjudgedCreation([input]);
  const found = versions.flatMap(findingsOf);
  const waivers = await findWaivers(tx, { workspaceId: order.workspace.id }, found, deps.clock().toISOString());
  const findings = found.map((finding): Finding => {
    return waivers.has(finding.id) ? { ...finding, status: "WAIVED" } : finding;
  });
  const shadows = new Set(versions.filter(({ isShadow }) => isShadow).map(({ versionId }) => versionId));
  const verdict = verdictOf(findings.filter(({ judgeId }) => !shadows.has(judgeId)));
  const isDenied = verdict.verdict !== "passed";
  if (isDenied && denied === "REFUSE") throw denialOf(verdict, versions);
  const skipReason = isDenied ? denialFailure(verdict).summary : null;
  return { versions, findings: found, waivers, warnings: verdict.warnings, skipReason };
}

function findingsOf({ id: evaluationId, versionId, setId, setName, results }: VersionJudgement): Finding[] {
  const of = { evaluationId, exceptionId: null, point: "RUN_CREATE", versionId, setId, setName } as const;
  return results.map((result) => toFinding({ ...result, ...of }));
}

const NO_OVERRIDE = "A run that does not exist cannot be overridden.";
const ADVICE = "Change what the results name, or request an exception.";

/** The refusal for a caller that waits for an answer. Demands for approvals deny as well: there is no gate yet. */
function denialOf(verdict: Verdict, versions: readonly VersionJudgement[]): UserError {
  const { denials, asks, demands } = verdict;
  const { summary } = denialFailure(verdict);
  const message = [summary, ...(denials.length === 0 && asks.length > 0 ? [NO_OVERRIDE] : []), ADVICE].join(" ");
  const results = new Map(versions.flatMap(({ results: all }) => all.map((result) => [result.id, result])));
  const shown = [...denials, ...asks, ...demands].slice(0, JUDGEMENT_LIMITS.denialsShown);
  return new UserError("POLICY_DENIED", message, {
    denials: shown.map((finding): PolicyDenial => {
      const { id, ownerId, owner, policy, rule, level, status, message: text } = finding;
      return {
        policySetId: ownerId,
        policySetName: owner,
        policy,
        rule,
        level,
        status: status === "ERROR" ? "ERROR" : "FAILED",
        message: text,
        remediation: results.get(id)?.remediation ?? null,
      };
    }),
  });
}

/** Stores the judgement of a run that was created, also that of shadows. */
export async function storeCreationVerdict(
  tx: Transaction,
  runId: string,
  { versions, findings, waivers }: CreationVerdict,
  finishedAt: string,
): Promise<void> {
  const evaluations = versions.map(({ results, setId: _set, setName: _name, ...version }) => {
    const now = results.map(({ id, level, status }) => {
      return { level, status: waivers.has(id) ? ("WAIVED" satisfies StoredResultStatus) : status };
    });
    const error = results.find(({ status }) => status === "ERROR")?.message ?? null;
    return { ...version, runId, status: evaluationStatus(now), error, finishedAt };
  });
  await insertJudgedEvaluations(tx, evaluations);
  for (const { id, results } of versions) if (results.length > 0) await insertResults(tx, id, results);
  await noteWaivers(tx, findings, waivers);
}
