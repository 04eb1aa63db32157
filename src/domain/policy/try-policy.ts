import { zstdCompressSync } from "node:zlib";
import pLimit from "p-limit";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Judgement, PolicyProblem } from "../../model/policy/evaluator.ts";
import { contextOfInput, neutralContext } from "../../model/policy/neutral-context.ts";
import type { PolicyPoint, PolicySet } from "../../model/policy/policy-set.ts";
import type { CelRule, PolicySource } from "../../model/policy/policy-source.ts";
import type { Deps } from "../kit/deps.ts";
import { InputCheck } from "../kit/input.ts";
import { checkContext, checkDocument, NO_DOCUMENT, toContext } from "./document-input.ts";
import { WRITTEN_DOCUMENT_KEY } from "./plan-document.ts";
import { type PlanInput, readPlanInput } from "./plan-input.ts";
import { noSuchPlan } from "./plan-subject.ts";
import { readPolicySources } from "./read-policy-source.ts";
import { checkPoint, checkRules } from "./rule-input.ts";

export interface TryPolicyInput {
  policySetId: string;
  /** Either rules, or a version of the set. */
  rules: readonly CelRule[] | null;
  versionId: string | null;
  point: PolicyPoint;
  /** JSON with the keys `plan` and `custom`; or else the id of a plan with a stored document. At RUN_CREATE its context alone. */
  document: string | null;
  planId: string | null;
  /** JSON in place of neutral values. */
  context: string | null;
}

/** A judgement that is not stored. `problems`: the rules do not compile, and nothing was judged. */
export interface PolicyTrial extends Judgement {
  problems: PolicyProblem[];
}

const NOTHING: Judgement = { findings: [], errors: [], passed: 0, dropped: 0, cpuMs: 0 };

/** Creates the function that judges documents which are not stored. A version must be one of the set. */
export function createTryPolicy(deps: Pick<Deps, "database" | "blobs" | "cipher" | "evaluator" | "clock">) {
  // An editor asks with each change of a text: it must not take the processes from runs that wait.
  const inTurn = pLimit(1);
  return async (set: PolicySet, input: TryPolicyInput): Promise<PolicyTrial> => {
    checkInput(set, input);
    const source = await sourceOf(deps, input);
    const { point } = input;
    const { document, documentKey, context } = await inputOf(deps, input);
    return inTurn(async () => {
      const { problems } = input.rules === null ? { problems: [] } : await deps.evaluator.check(source);
      if (problems.length > 0) return { ...NOTHING, problems };
      const given = { point, dialect: set.dialect, document, documentKey, context };
      return { ...(await deps.evaluator.judge(source, given, LIMITS.policyTrial)), problems };
    });
  };
}

function checkInput(set: PolicySet, { rules, versionId, point, document, planId, context }: TryPolicyInput): void {
  const check = new InputCheck();
  const { language } = set;
  check.require((rules === null) !== (versionId === null), "rules", "must be given, or else `versionId`.");
  check.require(rules === null || language === "CEL", "rules", "must be absent: the set is not in the language CEL.");
  if (rules !== null) checkRules(check, "rules", rules, set);
  checkPoint(check, "point", point, set);
  if (point === "RUN_CREATE") check.require(document === null, "document", NO_DOCUMENT);
  else check.require((document === null) !== (planId === null), "document", "must be given, or else `planId`.");
  if (document !== null) checkDocument(check, "document", document);
  checkContext(check, "context", context);
  check.done();
}

/** The input of a trial. At RUN_CREATE there is no document. */
type TriedInput = Pick<PlanInput, "context" | "documentKey"> & { document: PlanInput["document"] | null };

/** Beside a stored plan, what was given replaces what is known. */
async function inputOf(
  deps: Pick<Deps, "database" | "blobs" | "cipher" | "clock">,
  { planId, point, document, context }: TryPolicyInput,
): Promise<TriedInput> {
  const at = deps.clock().toISOString();
  const given = toContext(context);
  const isBefore = point === "RUN_CREATE";
  if (planId === null) {
    const written = isBefore ? null : zstdCompressSync(document ?? "");
    return { document: written, documentKey: WRITTEN_DOCUMENT_KEY, context: neutralContext(point, at, given) };
  }
  const stored = await readPlanInput(deps, planId, { point, at });
  if (stored === null) throw noSuchPlan();
  const known = neutralContext(point, at, { ...contextOfInput(stored.context), ...given });
  // A trial is no record: with the key, a reader of the document could try words by it.
  const documentKey = null;
  if (isBefore) return { document: null, documentKey, context: known };
  return { document: stored.document, documentKey, context: { ...known, holdpoint: stored.context.holdpoint } };
}

async function sourceOf(
  deps: Pick<Deps, "database" | "blobs">,
  { rules, versionId }: TryPolicyInput,
): Promise<PolicySource> {
  if (rules !== null) return { language: "CEL", rules };
  const [source] = await readPolicySources(deps, [versionId ?? ""]);
  if (source === undefined) throw invalidField("versionId", "must be the id of a version of the set.");
  return source;
}
