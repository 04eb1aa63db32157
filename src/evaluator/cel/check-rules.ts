/** Checks the rules of a source before they judge anything. */
import type { CelEnv } from "@bufbuild/cel";
import type { PolicyProblem } from "../../model/policy/evaluator.ts";
import type { CelRule } from "../../model/policy/policy-source.ts";
import { BOUNDS } from "../kit/bounds.ts";
import { Sanitizer } from "../kit/sanitizer.ts";
import { createCelEnvironment } from "./cel-environment.ts";
import { variablesOf } from "./cel-rule.ts";
import { compileExpression } from "./expression.ts";
import { compileMessage } from "./message-template.ts";

/** Lists the mistakes of rules. The file of a problem is the rule's name with the field. */
export function checkCelRules(rules: readonly CelRule[]): PolicyProblem[] {
  const environment = createCelEnvironment(new Sanitizer(null));
  const names = new Set<string>();
  return rules
    .flatMap((rule) => {
      const isTwice = names.has(rule.name);
      names.add(rule.name);
      const problem = (field: string, message: string): PolicyProblem => ({
        file: `${rule.name}.${field}`,
        line: null,
        column: null,
        message,
      });
      return [
        ...(isTwice
          ? [problem("name", `Another rule is named "${rule.name}". Give each rule a name of its own.`)]
          : []),
        ...(rule.point === "RUN_CREATE" && rule.each === "RESOURCE"
          ? [problem("each", "There is no plan at RUN_CREATE, so no resource. Use `each: PLAN`.")]
          : []),
        ...(["types", "actions"] as const).flatMap((field) =>
          rule[field]?.length === 0 ? [problem(field, `An empty list selects nothing. Leave out \`${field}\`.`)] : [],
        ),
        ...expressionProblems(environment, rule),
      ];
    })
    .slice(0, BOUNDS.problems);
}

function expressionProblems(environment: CelEnv, rule: CelRule): PolicyProblem[] {
  const variables = variablesOf(rule);
  const when = compileExpression(environment, rule.when, variables).problems;
  const message = compileMessage(environment, rule.message, variables).problems;
  return [
    ...when.map((problem) => ({ file: `${rule.name}.when`, ...problem })),
    ...message.map((problem) => ({ file: `${rule.name}.message`, ...problem })),
  ];
}
