/** Judges rules in CEL. */
import { type CelEnv, isCelError } from "@bufbuild/cel";
import type { JudgeInput } from "../../model/policy/evaluator.ts";
import type { CelRule } from "../../model/policy/policy-source.ts";
import type { Json } from "../../model/plan/json.ts";
import type { ResourceAction } from "../../model/plan/plan.ts";
import { type ChangedResource, resourcesOf } from "../document/changed-resource.ts";
import type { PlanDocument } from "../document/plan-document.ts";
import { BOUNDS } from "../kit/bounds.ts";
import { clip } from "../kit/clip.ts";
import {
  EvaluationError,
  type JudgePolicy,
  type PolicyReport,
  type ReportedError,
  type ReportedFinding,
} from "../kit/policy-report.ts";
import { Sanitizer } from "../kit/sanitizer.ts";
import { createCelEnvironment, PLAN_VARIABLES, RESOURCE_VARIABLES } from "./cel-environment.ts";
import { toCelMap, toCelValue } from "./document-value.ts";
import { compileExpression, type Expression, type Variables } from "./expression.ts";
import { compileMessage, type MessageTemplate } from "./message-template.ts";
import { planTrace, type Trace } from "./trace.ts";

const UNCHANGED: ReadonlySet<ResourceAction> = new Set(["NO_OP", "READ"]);

interface CompiledRule {
  when: Expression;
  message: MessageTemplate;
  trace: () => Trace;
}

/** A subject of a rule: a resource, or the plan as a whole. */
interface Subject {
  address: string | null;
  variables: Variables;
}

/** Prepares the rules of a source for a document. Rules are compiled when they are judged. */
export function prepareCelRules(
  rules: readonly CelRule[],
  { context, documentKey }: JudgeInput,
  document: PlanDocument,
): JudgePolicy {
  const sanitizer = new Sanitizer(documentKey);
  const environment = createCelEnvironment(sanitizer);
  const shared = sharedVariables({ ...context, ...document });
  const subjectsByType = groupResources(resourcesOf(document.plan), shared);

  return (index) => {
    const rule = rules[index];
    if (rule === undefined) throw new Error(`There is no rule ${index}`);
    sanitizer.begin();
    const compiled = compileRule(environment, rule);
    const subjects = rule.each === "PLAN" ? [{ address: null, variables: shared }] : subjectsOf(rule, subjectsByType);
    return judgeRule(rule, compiled, subjects);
  };
}

function sharedVariables(values: { [name: string]: Json }): Variables {
  const variables: Variables = Object.create(null);
  for (const name of PLAN_VARIABLES) variables[name] = toCelValue(values[name] ?? null);
  return variables;
}

interface TypedSubject extends Subject {
  action: ResourceAction;
  /** Its place in the plan. */
  position: number;
}

/** Groups resources by type: most rules name some types, and a plan has thousands of resources. */
function groupResources(
  resources: readonly ChangedResource[],
  shared: Variables,
): ReadonlyMap<string, readonly TypedSubject[]> {
  const subjects = resources.map(({ address, type, action, value }, position) => {
    const variables: Variables = Object.assign(Object.create(shared), { resource: toCelMap(value) });
    return { address, type, action, position, variables };
  });
  return Map.groupBy(subjects, ({ type }) => type);
}

function subjectsOf(rule: CelRule, byType: ReadonlyMap<string, readonly TypedSubject[]>): readonly Subject[] {
  const { types, actions } = rule;
  const named = types === null ? [...byType.values()] : [...new Set(types)].map((type) => byType.get(type) ?? []);
  return named
    .flat()
    .filter(({ action }) => (actions === null ? !UNCHANGED.has(action) : actions.includes(action)))
    .sort((a, b) => a.position - b.position);
}

function compileRule(environment: CelEnv, rule: CelRule): CompiledRule {
  const variables = variablesOf(rule);
  const when = compileExpression(environment, rule.when, variables);
  const message = compileMessage(environment, rule.message, variables);
  const [problem] = [...when.problems, ...message.problems];
  if (when.expression === null || problem !== undefined) {
    throw new EvaluationError("EXPRESSION", problem?.message ?? "The expression cannot be used.");
  }
  const { expression } = when;
  let trace: Trace | undefined;
  return {
    when: expression,
    message: message.template,
    trace: () => (trace ??= planTrace(environment, expression.parsed)),
  };
}

/** Gives the variables that a rule may use. */
export function variablesOf({ each }: Pick<CelRule, "each">): readonly string[] {
  return each === "PLAN" ? PLAN_VARIABLES : RESOURCE_VARIABLES;
}

function judgeRule(rule: CelRule, compiled: CompiledRule, subjects: readonly Subject[]): PolicyReport {
  const findings: ReportedFinding[] = [];
  const failures: { address: string | null; error: ReportedError }[] = [];
  let dropped = 0;
  for (const { address, variables } of subjects) {
    const value = compiled.when.evaluate(variables);
    if (value === false) continue;
    if (value !== true) {
      failures.push({ address, error: failureOf(value) });
    } else if (findings.length === BOUNDS.findingsPerPolicy) {
      dropped++;
    } else {
      findings.push({
        rule: rule.name,
        message: compiled.message(variables),
        addresses: address === null ? [] : [clip(address, BOUNDS.addressLength)],
        addressesInferred: false,
        trace: findings.length < BOUNDS.tracedFindings ? compiled.trace()(variables) : null,
      });
    }
  }
  const demands = rule.approvers === null ? findings : merged(findings);
  return { findings: demands, errors: summed(failures, subjects.length), dropped };
}

function failureOf(value: unknown): ReportedError {
  if (isCelError(value)) return { kind: "EXPRESSION", message: value.message };
  return { kind: "SHAPE", message: "`when` must be true or false" };
}

/** Joins the matches of a rule that demands approvals: they are one stage. */
function merged(findings: readonly ReportedFinding[]): ReportedFinding[] {
  const [first] = findings;
  if (first === undefined) return [];
  const addresses = findings.flatMap((finding) => finding.addresses).slice(0, BOUNDS.addressesPerFinding);
  return [{ ...first, addresses }];
}

/** Joins the failures of a rule to one error, which names the first resource. */
function summed(failures: readonly { address: string | null; error: ReportedError }[], count: number): ReportedError[] {
  const [first] = failures;
  if (first === undefined) return [];
  const { address, error } = first;
  if (address === null) return [error];
  const others = failures.length === 1 ? "" : `, and for ${failures.length - 1} more of ${count} resources`;
  return [{ ...error, message: `${error.message} (for ${clip(address, BOUNDS.addressLength)}${others})` }];
}
