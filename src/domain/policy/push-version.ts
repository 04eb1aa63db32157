import { createHash } from "node:crypto";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, notFound, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { PolicySet, PolicyVersionState } from "../../model/policy/policy-set.ts";
import type { PolicySetVersion, VersionPolicy } from "../../model/policy/policy-set-version.ts";
import type { CelRule, PolicySource, StoredPolicySource, WasmPolicy } from "../../model/policy/policy-source.ts";
import type { PolicyTest, PolicyTestReport } from "../../model/policy/policy-test.ts";
import type { PutBlob } from "../../persistence/blob/blobs.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import { lockPolicySet } from "../../persistence/policy/policy-set-store.ts";
import {
  countPolicyVersions,
  insertPolicyVersion,
  setPolicyVersionState,
} from "../../persistence/policy/policy-version-store.ts";
import { commandInSteps } from "../access/command.ts";
import type { Deps } from "../kit/deps.ts";
import type { InputCheck } from "../kit/input.ts";
import { holdListedTeams } from "../rules/check-approvers.ts";
import { onPolicySetInSteps } from "./policy-set-command.ts";
import { readBundle } from "./read-bundle.ts";
import { readFixtures } from "./read-fixtures.ts";
import { checkDemands, checkModulePolicies, checkRules } from "./rule-input.ts";
import { runPolicyTests } from "./run-tests.ts";
import { requirePassed } from "./set-version-state.ts";
import { checkTests } from "./test-input.ts";

export interface PushPolicySetVersionInput {
  policySetId: string;
  /** For the language CEL. */
  rules: readonly CelRule[] | null;
  /** For a compiled module: the bundle, and the policies of its entry points. */
  uploadId: string | null;
  policies: readonly WasmPolicy[] | null;
  tests: readonly PolicyTest[];
  message: string | null;
  state: PolicyVersionState;
}

/**
 * Pushes a version: it is compiled, and its tests are run. Throws POLICY_INVALID with what is wrong. A version whose tests
 * fail may be a draft or a shadow.
 */
export function pushPolicySetVersion(
  deps: Deps,
  caller: ActorCaller,
  input: PushPolicySetVersionInput,
): Promise<PolicySetVersion> {
  const { policySetId, state } = input;
  const spec = {
    ...onPolicySetInSteps(policySetId),
    name: "pushPolicySetVersion",
    words: "pushing versions of policy sets",
    presence: state === "ACTIVE" ? "ALWAYS" : undefined,
    check: (check: InputCheck, set: PolicySet) => checkInput(deps, check, { caller, input, set }),
  } as const;
  return commandInSteps(deps, caller, spec, async (set, check) => {
    check.done();
    const source = await readSource(deps, caller, input);
    const { problems } = await deps.evaluator.check(source);
    if (problems.length > 0) {
      throw new UserError("POLICY_INVALID", "The version does not compile. Correct its problems.", { problems });
    }
    const at = deps.clock().toISOString();
    const { dialect } = set;
    const fixtures = await readFixtures(deps, set.id, input.tests);
    const report = await runPolicyTests(deps, { source, dialect, tests: input.tests, fixtures, at });
    if (state === "ACTIVE") requirePassed(report);
    return store(deps, caller, { source, report, input, at });
  });
}

async function checkInput(
  deps: Deps,
  check: InputCheck,
  { caller, input, set }: { caller: ActorCaller; input: PushPolicySetVersionInput; set: PolicySet },
): Promise<void> {
  const { rules, uploadId, policies, tests, message, state } = input;
  check.text("message", message);
  check.require(state !== "RETIRED", "state", "must be DRAFT, SHADOW or ACTIVE.");
  const isCel = set.language === "CEL";
  check.require(
    (rules !== null) === isCel,
    "rules",
    isCel ? "is required with the language CEL." : "is for CEL alone.",
  );
  for (const [field, value] of [["uploadId", uploadId] as const, ["policies", policies] as const]) {
    const words = isCel ? "is for the language REGO_WASM." : "is required with the language REGO_WASM.";
    check.require((value === null) === isCel, field, words);
  }
  if (check.hasIssues) return;
  if (rules !== null) checkRules(check, "rules", rules, set);
  if (policies !== null) checkModulePolicies(check, "policies", policies, set);
  checkTests(
    check,
    tests,
    [...(rules ?? []), ...(policies ?? [])].map(({ name }) => name),
  );
  if (check.hasIssues || rules === null) return;
  await checkDemands(deps.database, deps, check, { rules, caller, organizationId: set.organizationId });
}

async function readSource(
  deps: Deps,
  caller: ActorCaller,
  { rules, uploadId, policies }: PushPolicySetVersionInput,
): Promise<PolicySource> {
  if (uploadId === null || policies === null) return { language: "CEL", rules: rules ?? [] };
  return { language: "REGO_WASM", policies, ...(await readBundle(deps, caller, uploadId)) };
}

interface Pushed {
  source: PolicySource;
  report: PolicyTestReport;
  input: PushPolicySetVersionInput;
  at: string;
}

async function store(deps: Deps, caller: ActorCaller, pushed: Pushed): Promise<PolicySetVersion> {
  const { source, at } = pushed;
  const insert = (put: PutBlob | null) =>
    deps.database.transaction((tx) => insertPushed(tx, deps, caller, pushed, put));
  if (source.language === "CEL") return insert(null);
  const body = Buffer.from(source.module);
  const blob = { id: deps.newId("blob"), kind: "POLICY", workspaceId: null, body, createdAt: at } as const;
  return deps.blobs.bring(blob, insert);
}

async function insertPushed(
  tx: Transaction,
  deps: Deps,
  caller: ActorCaller,
  { source, report, input, at }: Pushed,
  put: PutBlob | null,
): Promise<PolicySetVersion> {
  const set = await lockPolicySet(tx, input.policySetId);
  // A set never moves: the rights that were asked for are those of the commit.
  if (set === null) throw notFound("policy set");
  if ((await countPolicyVersions(tx, set.id)) >= LIMITS.policyVersionsPerSet) {
    const most = LIMITS.policyVersionsPerSet;
    throw invalidField("policySetId", `has ${most} versions, which is the limit. Create another set.`);
  }
  const demands = (input.rules ?? []).map(({ approvers }, index) => {
    return { path: `rules.${index}.approvers.teamIds`, teamIds: approvers?.teamIds ?? [] };
  });
  await holdListedTeams(tx, demands);
  if (put !== null) await deps.blobs.insert(tx, put);
  const version = {
    id: deps.newId("policySetVersion"),
    setId: set.id,
    digest: digestOf(source),
    message: input.message,
    policies: policiesOf(source),
    testReport: report,
    createdById: caller.actor.id,
    createdAt: at,
  };
  const stored = { ...version, source: storedSource(source), moduleBlobId: put?.blob.id ?? null, tests: input.tests };
  const number = await insertPolicyVersion(tx, stored);
  const { state } = input;
  const isActive = state === "ACTIVE";
  if (state !== "DRAFT") await setPolicyVersionState(tx, version, { state, at, byId: caller.actor.id });
  const activation = { activatedAt: isActive ? at : null, activatedById: isActive ? caller.actor.id : null };
  return { ...version, number, state, ...activation };
}

function storedSource(source: PolicySource): StoredPolicySource {
  if (source.language === "CEL") return source;
  const { language, policies, data } = source;
  return { language, policies, data };
}

/** Returns the SHA-256 of a source: of its rules, or of its policies, data and module. */
function digestOf(source: PolicySource): string {
  const hash = createHash("sha256").update(JSON.stringify(storedSource(source)));
  if (source.language === "REGO_WASM") hash.update(source.module);
  return hash.digest("hex");
}

function policiesOf(source: PolicySource): VersionPolicy[] {
  const policies = source.language === "CEL" ? source.rules : source.policies;
  return policies.map((policy) => {
    const { name, point, level, stopsAutoApply } = policy;
    return { name, point, level, stopsAutoApply, types: "types" in policy ? (policy.types ?? []) : [] };
  });
}
