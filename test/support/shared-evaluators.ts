import { createAnswerEvaluator } from "../../src/evaluator/answer-evaluator.ts";
import { createEvaluator } from "../../src/evaluator/evaluator.ts";
import type { Evaluator } from "../../src/model/policy/evaluator.ts";
import type { AnswerEvaluator } from "../../src/model/probe/prober.ts";

interface SharedEvaluators {
  readonly evaluator: Evaluator;
  readonly answers: AnswerEvaluator;
}

let shared: SharedEvaluators | undefined;

/**
 * Gives evaluators whose processes all servers of this process share, because the start of one takes half a second of CPU
 * time. Closing ends what was asked of them; the processes end with this one.
 */
export function shareEvaluators(): SharedEvaluators {
  shared ??= { evaluator: createEvaluator(), answers: createAnswerEvaluator() };
  return { evaluator: closable(shared.evaluator), answers: closableAnswers(shared.answers) };
}

function closable(evaluator: Evaluator): Evaluator {
  const closing = new AbortController();
  return {
    async judge(source, input, limits, options = {}) {
      return await evaluator.judge(source, input, limits, { ...options, signal: either(closing, options.signal) });
    },
    async check(source) {
      closing.signal.throwIfAborted();
      return await evaluator.check(source);
    },
    close: async () => end(closing),
  };
}

function closableAnswers(answers: AnswerEvaluator): AnswerEvaluator {
  const closing = new AbortController();
  return {
    async evaluate(expression, answer, signal) {
      return await answers.evaluate(expression, answer, either(closing, signal));
    },
    async check(expression, kind) {
      closing.signal.throwIfAborted();
      return await answers.check(expression, kind);
    },
    close: async () => end(closing),
  };
}

function either(closing: AbortController, signal: AbortSignal | undefined): AbortSignal {
  return signal === undefined ? closing.signal : AbortSignal.any([closing.signal, signal]);
}

function end(closing: AbortController): void {
  closing.abort(new Error("The evaluator is closed"));
}
