import type { Client } from "../client/client.ts";
import {
  ApproveRunDocument,
  DiscardRunDocument,
  type Gate,
  RejectRunDocument,
  type RunStatus,
} from "../client/generated/graphql.ts";
import { DemoError } from "./demo-error.ts";
import { unknownAnswer } from "./demo-workspace.ts";
import type { GateAnswer } from "./gate-prompt.ts";

/** A decision that can be sent. */
export type Decision = Exclude<GateAnswer, "leave">;

export interface DecisionTarget {
  readonly runId: string;
  readonly gate: Gate;
  /** The plan that was shown. The server refuses the decision if another one is current. */
  readonly planVersion: number;
}

/** Whether the server took a decision; if not, why, and where the run is now. */
export type DecisionResult =
  | { readonly taken: true }
  | { readonly taken: false; readonly message: string; readonly status: RunStatus };

/**
 * Sends a decision. A run with another status or another plan is a result and not an error. Throws DemoError for results
 * that the caller cannot act on.
 */
export async function decide(client: Client, decision: Decision, target: DecisionTarget): Promise<DecisionResult> {
  const result = await send(client, decision, target);
  switch (result.__typename) {
    case "ApproveRunSuccess":
    case "RejectRunSuccess":
    case "DiscardRunSuccess":
      return { taken: true };
    case "RunStateConflictError":
    case "StalePlanError":
      return { taken: false, message: result.message, status: result.run.status };
    case "InvalidInputError":
    case "NotFoundError":
    case "ForbiddenError":
    case "ReauthenticationRequiredError":
      throw new DemoError(`The server refused to ${decision} the run: ${result.message}`);
    default:
      throw unknownAnswer(result);
  }
}

async function send(client: Client, decision: Decision, { runId, gate, planVersion }: DecisionTarget) {
  switch (decision) {
    case "approve":
      return (await client.request(ApproveRunDocument, { runId, gate, planVersion })).approveRun;
    case "reject":
      return (await client.request(RejectRunDocument, { runId, planVersion })).rejectRun;
    case "discard":
      return (await client.request(DiscardRunDocument, { runId, planVersion })).discardRun;
  }
}
