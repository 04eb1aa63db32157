import {
  ApproveDocument,
  CancelDocument,
  ConcludeVerificationDocument,
  DiscardDocument,
  OverridePoliciesDocument,
  RejectDocument,
  ReplanDocument,
} from "../generated/graphql.ts";
import { useCommand } from "../live/documents.ts";
import type { DecisionName } from "./decisions.ts";

/** The answer of a command: a refusal in words, or nothing. */
export interface Answer {
  readonly problem: string | null;
  /** Where the person signs in again, if that is asked. */
  readonly url: string | null;
  readonly isStale: boolean;
}

/** The run and the plan of a decision, as the page showed them. */
export interface Subject {
  readonly runId: string;
  readonly planVersion: number;
  /** The evaluations of policies whose failures were shown. */
  readonly evaluationIds: readonly string[];
}

type Send = (comment: string | null) => Promise<Answer>;

/** Gives the function that sends a command with a comment. A lost answer is a problem: reading shows what became of it. */
export function useSend(name: DecisionName, { runId, planVersion, evaluationIds }: Subject): Send {
  const [, approve] = useCommand(ApproveDocument);
  const [, override] = useCommand(OverridePoliciesDocument);
  const [, conclude] = useCommand(ConcludeVerificationDocument);
  const [, reject] = useCommand(RejectDocument);
  const [, replan] = useCommand(ReplanDocument);
  const [, discard] = useCommand(DiscardDocument);
  const [, cancel] = useCommand(CancelDocument);
  const commands: Record<DecisionName, Send> = {
    approvePlan: async (comment) => answerOf(await approve({ input: { runId, gate: "PLAN", planVersion, comment } })),
    approveApply: async (comment) => answerOf(await approve({ input: { runId, gate: "APPLY", planVersion, comment } })),
    override: async (comment) =>
      answerOf(
        await override({ input: { runId, planVersion, evaluationIds: [...evaluationIds], comment: comment ?? "" } }),
      ),
    works: async (comment) => answerOf(await conclude({ input: { runId, judgement: "GOOD", comment: comment ?? "" } })),
    failed: async (comment) => answerOf(await conclude({ input: { runId, judgement: "BAD", comment: comment ?? "" } })),
    reject: async (comment) => answerOf(await reject({ input: { runId, planVersion, comment } })),
    replan: async (comment) => answerOf(await replan({ input: { runId, planVersion, comment } })),
    discard: async (comment) => answerOf(await discard({ input: { runId, comment } })),
    cancel: async (comment) => answerOf(await cancel({ input: { runId, comment } })),
  };
  return commands[name];
}

interface Sent {
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: { readonly message: string } | undefined;
}

function answerOf({ data, error }: Sent): Answer {
  if (error !== undefined) {
    const problem = `The answer was lost: ${error.message}. Check the run before you send it again.`;
    return { problem, url: null, isStale: false };
  }
  const [result] = Object.values(data ?? {});
  const field = (name: string): string | null => {
    const value: unknown = typeof result === "object" && result !== null ? Reflect.get(result, name) : null;
    return typeof value === "string" ? value : null;
  };
  return { problem: field("message"), url: field("url"), isStale: field("__typename") === "StalePlanError" };
}
