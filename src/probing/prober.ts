import type { AnswerEvaluator, Prober } from "../model/probe/prober.ts";
import { isRefusedLiteral } from "../network/address-guard.ts";
import type { ConnectionRules } from "./connection-rules.ts";
import { probeOnce } from "./probe-once.ts";

export interface ProberOptions extends ConnectionRules {
  evaluator: AnswerEvaluator;
  clock: () => Date;
}

/** Creates a prober. It keeps no connection and no state. */
export function createProber({ evaluator, clock, ...rules }: ProberOptions): Prober {
  const now = (): number => performance.now();
  return {
    probe: (request, signal) => probeOnce(request, { ...rules, evaluator, clock, now, signal }),
    checkExpression: (expression, kind) => evaluator.check(expression, kind),
    allows: (target) => !isRefusedLiteral(target, rules.allowed),
  };
}
