/** Judges runs that do not exist yet, outside of any transaction. */
import type { Judge } from "../../model/policy/judge.ts";
import { limitsAt } from "../../model/policy/judgement-limits.ts";
import type { PolicyEvaluation } from "../../model/policy/policy-evaluation.ts";
import { findJudgedSet } from "../../persistence/policy/judged-set-store.ts";
import type { Deps } from "../kit/deps.ts";
import { type NewResult, resultsOf } from "../policy/evaluation-results.ts";
import { readPolicySources } from "../policy/read-policy-source.ts";
import type { CreationInput } from "./creation-input.ts";

/** The judgement of one version about a run. It is stored with the run, if that is created. */
export interface VersionJudgement
  extends Pick<PolicyEvaluation, "id" | "versionId" | "isShadow" | "passed" | "dropped" | "cpuMs" | "createdAt"> {
  setId: string;
  setName: string;
  results: readonly NewResult[];
}

/** Judges an input by all versions that are asked. A policy that cannot be judged has an error as its result. */
export function judgeCreation(
  deps: Pick<Deps, "database" | "blobs" | "evaluator" | "newId">,
  { judges, context }: CreationInput,
): Promise<VersionJudgement[]> {
  return Promise.all(judges.map((judge) => judgeByVersion(deps, judge, context)));
}

async function judgeByVersion(
  deps: Pick<Deps, "database" | "blobs" | "evaluator" | "newId">,
  { id: versionId, name, isShadow }: Judge,
  context: CreationInput["context"],
): Promise<VersionJudgement> {
  const set = await findJudgedSet(deps.database, versionId);
  const [source] = await readPolicySources(deps, [versionId]);
  if (source === undefined) throw new Error(`The version ${versionId} has no source.`);
  const input = { point: "RUN_CREATE", dialect: set.dialect, document: null, documentKey: null, context } as const;
  const judgement = await deps.evaluator.judge(source, input, limitsAt("RUN_CREATE"));
  const policies = set.policies.filter(({ point }) => point === "RUN_CREATE");
  return {
    id: deps.newId("policyEvaluation"),
    versionId,
    isShadow,
    setId: set.setId,
    setName: name,
    results: resultsOf(deps.newId, { ...set, policies }, judgement),
    passed: judgement.passed,
    dropped: judgement.dropped,
    cpuMs: judgement.cpuMs,
    createdAt: context.holdpoint.at,
  };
}
