/** The types of columns that the catalogue of Postgres does not know: what a jsonb column holds. */
import { ArrayExpressionNode, type ExpressionNode, GenericExpressionNode, IdentifierNode } from "kysely-codegen";

const named = (name: string): IdentifierNode => new IdentifierNode(name);
const generic = (name: string, ...args: ExpressionNode[]): GenericExpressionNode =>
  new GenericExpressionNode(name, args);
const list = (name: string): ArrayExpressionNode => new ArrayExpressionNode(named(name));
const record = (value: string): GenericExpressionNode => generic("Record", named("string"), named(value));

/** A jsonb column: an object when it is read, JSON text when it is written. */
const json = (type: ExpressionNode): GenericExpressionNode => generic("JSONColumnType", type);
/** A jsonb column with a default. */
const defaulted = (type: ExpressionNode): GenericExpressionNode => generic("Generated", json(type));
/** A jsonb column whose value need not be an object. */
const anyJson: ExpressionNode = generic("ColumnType", named("PlanValue"), named("string"), named("string"));

const rules = (table: string): Record<string, ExpressionNode> => ({
  [`${table}.limits`]: defaulted(generic("Partial", named("RunLimits"))),
  [`${table}.approval_rules`]: defaulted(list("ApprovalRule")),
  [`${table}.freeze_windows`]: defaulted(list("FreezeWindow")),
});

/** By table and column. The nullability of a column comes from the catalogue. */
export const COLUMNS: Record<string, ExpressionNode> = {
  ...rules("organization"),
  ...rules("workspace"),
  "blob_modules.scan": json(named("FileScan")),
  "check_report.blocks": json(list("CheckBlock")),
  "changeset_member.cause": json(named("RunCause")),
  "external_check.selector": json(named("PolicySelector")),
  "external_check_result.cost": json(named("CostEstimate")),
  "external_check_result.outcomes": defaulted(list("CheckOutcome")),
  "inbound_hook.mapping": json(list("InboundMapping")),
  "log_head.phase_bytes": defaulted(record("number")),
  "log_head.phase_lines": defaulted(record("LineRange")),
  "job_document.cost": json(named("CostEstimate")),
  "plan.action_invocations": defaulted(list("ActionInvocation")),
  "plan.output_changes": json(list("OutputChange")),
  "plan.output_values": json(list("OutputValues")),
  "policy_fixture.context": json(record("PlanValue")),
  "policy_simulation.source": json(named("StoredPolicySource")),
  "policy_simulation_item.findings": defaulted(list("SimulatedFinding")),
  "policy_set.overriders": json(named("PolicyOverriders")),
  "policy_set.selector": json(named("PolicySelector")),
  "policy_set_version.policies": json(list("VersionPolicy")),
  "policy_set_version.source": json(named("StoredPolicySource")),
  "policy_set_version.test_report": json(named("PolicyTestReport")),
  "policy_set_version.tests": defaulted(list("PolicyTest")),
  "plan_document.check_cost": json(named("CostEstimate")),
  "plan_document.cost": json(named("CostEstimate")),
  "policy_result.approvers": json(named("DemandedApprovers")),
  "probe.settings": json(named("ProbeSettings")),
  "probe_test.samples": json(list("ReportedSamples")),
  "probe_target.state": json(named("TargetState")),
  "promotion_pipeline.stages": json(list("PromotionStage")),
  "recovered_state.outputs": json(list("Output")),
  "resource_change.after": anyJson,
  "resource_change.before": anyJson,
  "resource_drift.after": anyJson,
  "resource_drift.before": anyJson,
  "policy_result.trace": json(list("TraceLine")),
  "run.awaited_check": json(named("AwaitedCheck")),
  "run_diagnostics.diagnostics": json(list("Diagnostic")),
  "run.cause": json(named("RunCause")),
  "run.failure": json(named("Failure")),
  "run.hooks": defaulted(list("Hook")),
  "run_scan.scan": json(named("ScanResult")),
  "test_report.report": json(named("TestReport")),
  "run.judged": json(named("PassedJudgement")),
  "run.metadata": defaulted(record("string")),
  "run_event.data": json(record("unknown")),
  "run_progress.current": json(list("ResourceInProgress")),
  "state_lock.info": json(record("string")),
  "state_version.outputs": json(list("Output")),
  "trust_rule.claims": json(record("string")),
  "workspace_dependency.outputs": defaulted(list("OutputReference")),
  "workspace_event.health": json(named("HealthChange")),
  "workspace.drift": json(named("Drift")),
  "workspace.drift_settings": defaulted(generic("Partial", named("DriftSettings"))),
  "workspace.expiry": json(named("Expiry")),
  "workspace.hooks": defaulted(list("Hook")),
  "workspace.trigger": defaulted(generic("Partial", named("WorkspaceTrigger"))),
  "verification.probes": defaulted(list("ProbeProgress")),
  "verification.required_probes": defaulted(list("RequiredProbe")),
  "verification.settings": json(named("VerificationSettings")),
  "workspace.rollback": defaulted(generic("Partial", named("RollbackSettings"))),
  "workspace.verification": defaulted(generic("Partial", named("VerificationSettings"))),
  "workspace.source": json(named("WorkspaceSource")),
};

/** Where the types of COLUMNS are, seen from the generated file. */
export const IMPORTS: Record<string, string> = {
  ActionInvocation: "../../model/plan/plan.ts",
  ApprovalRule: "../../model/approval/run-rules.ts",
  CheckBlock: "../../model/plan/check-block.ts",
  CheckOutcome: "../../model/check/external-check.ts",
  CostEstimate: "../../model/policy/cost-estimate.ts",
  AwaitedCheck: "../../model/policy/judge.ts",
  DemandedApprovers: "../../model/policy/policy-source.ts",
  Drift: "../../model/workspace/drift.ts",
  DriftSettings: "../../model/workspace/drift-settings.ts",
  InboundMapping: "../../model/schedule/inbound-hook.ts",
  Expiry: "../../model/workspace/expiry.ts",
  Failure: "../../model/lifecycle/failure.ts",
  FreezeWindow: "../../model/approval/run-rules.ts",
  FileScan: "../../model/source/file-scan.ts",
  HealthChange: "../../model/health/runtime-health.ts",
  Hook: "../../model/workspace/hook.ts",
  JSONColumnType: "kysely",
  LineRange: "../../model/log/log.ts",
  Output: "../../model/workspace/workspace.ts",
  Diagnostic: "../../model/plan/diagnostic.ts",
  OutputChange: "../../model/plan/plan.ts",
  OutputValues: "../../model/plan/plan.ts",
  OutputReference: "../../model/dependency/dependency.ts",
  PolicyOverriders: "../../model/policy/policy-set.ts",
  PolicySelector: "../../model/policy/policy-set.ts",
  PolicyTest: "../../model/policy/policy-test.ts",
  PolicyTestReport: "../../model/policy/policy-test.ts",
  StoredPolicySource: "../../model/policy/policy-source.ts",
  PassedJudgement: "../../model/policy/judge.ts",
  PlanValue: "../../model/plan/json.ts#Json",
  ProbeProgress: "../../model/verification/verification.ts",
  ProbeSettings: "../../model/probe/probe.ts",
  PromotionStage: "../../model/promotion/promotion.ts",
  RequiredProbe: "../../model/verification/required-probe.ts",
  ResourceInProgress: "../../model/run/run-progress.ts",
  RunCause: "../../model/run/run-cause.ts",
  ReportedSamples: "../../model/verification/sampling.ts",
  RollbackSettings: "../../model/workspace/rollback-settings.ts",
  RunLimits: "../../model/approval/run-rules.ts",
  TargetState: "../../model/health/target-state.ts",
  ScanResult: "../../model/run/scan.ts",
  TestReport: "../../model/run/test-report.ts",
  SimulatedFinding: "../../model/policy/policy-simulation.ts",
  VerificationSettings: "../../model/workspace/verification-settings.ts",
  VersionPolicy: "../../model/policy/policy-set-version.ts",
  TraceLine: "../../model/policy/evaluator.ts",
  WorkspaceSource: "../../model/workspace/workspace.ts",
  WorkspaceTrigger: "../../model/workspace/workspace-trigger.ts",
};

/** How connections parse the types of Postgres (database.ts): instants stay text, a bigint becomes a number. */
export const SCALARS: Record<string, ExpressionNode> = { timestamptz: named("string"), int8: named("number") };
