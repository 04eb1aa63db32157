import {
  ApproveDocument,
  CancelDocument,
  ConcludeVerificationDocument,
  DiscardDocument,
  type Gate,
  OverridePoliciesDocument,
  RejectDocument,
  ReplanDocument,
  WithdrawDocument,
} from "../generated/graphql.ts";
import { useCommand } from "../live/documents.ts";
import { lostAnswer, refusalOf, type Refused } from "../parts/refused.ts";
import type { DecisionName } from "./decisions.ts";

/** The run and the plan of a decision, as the page showed them. */
export interface Subject {
  readonly runId: string;
  readonly planVersion: number;
  /** The gate that was passed last. */
  readonly gate: Gate;
  /** The evaluations of policies whose failures were shown. */
  readonly evaluationIds: readonly string[];
  /** The resources that were picked in the plan. */
  readonly addresses: readonly string[];
}

type Send = (comment: string | null) => Promise<Refused | null>;

/** Gives the function that sends a command with a comment. A lost answer is a problem: reading shows what became of it. */
export function useSend(name: DecisionName, { runId, planVersion, gate, evaluationIds, addresses }: Subject): Send {
  const [, approve] = useCommand(ApproveDocument);
  const [, override] = useCommand(OverridePoliciesDocument);
  const [, conclude] = useCommand(ConcludeVerificationDocument);
  const [, reject] = useCommand(RejectDocument);
  const [, replan] = useCommand(ReplanDocument);
  const [, discard] = useCommand(DiscardDocument);
  const [, withdraw] = useCommand(WithdrawDocument);
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
    planPicked: async (comment) =>
      answerOf(await replan({ input: { runId, planVersion, comment, targets: [...addresses] } })),
    replacePicked: async (comment) =>
      answerOf(await replan({ input: { runId, planVersion, comment, replace: [...addresses] } })),
    planAll: async (comment) =>
      answerOf(await replan({ input: { runId, planVersion, comment, targets: [], replace: [] } })),
    discard: async (comment) =>
      answerOf(await discard({ input: { runId, planVersion: planVersion === 0 ? null : planVersion, comment } })),
    withdraw: async (comment) => answerOf(await withdraw({ input: { runId, gate, comment } })),
    cancel: async (comment) => answerOf(await cancel({ input: { runId, comment } })),
    forceStop: async (comment) => answerOf(await cancel({ input: { runId, force: true, comment } })),
  };
  return commands[name];
}

interface Sent {
  readonly data?: Readonly<Record<string, unknown>> | undefined;
  readonly error?: { readonly message: string } | undefined;
}

function answerOf({ data, error }: Sent): Refused | null {
  return error === undefined ? refusalOf(data ?? {}) : lostAnswer(error.message);
}
