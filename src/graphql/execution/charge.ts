import { type DocumentNode, getOperationAST, GraphQLError, type GraphQLSchema } from "graphql";
import type { Charge } from "../../model/limit/charge.ts";
import type { ServerContext } from "../kit/context.ts";
import { refusal } from "../kit/errors.ts";
import { operationCost } from "./operation-cost.ts";

interface ChargedOperation {
  schema: GraphQLSchema;
  document: DocumentNode;
  operationName?: string | null | undefined;
  variableValues?: Readonly<Record<string, unknown>> | null | undefined;
}

/**
 * Takes the cost of an operation from the limits of its caller, and notes it in the context. Gives the error of an operation
 * that is not executed for its cost, else `null`.
 */
export function chargeOperation(
  context: ServerContext,
  { schema, document, operationName, variableValues: variables }: ChargedOperation,
): GraphQLError | null {
  const operation = getOperationAST(document, operationName);
  const cost = context.charge && operationCost(schema, document, { operationName, variables });
  if (!context.charge || !cost || !operation) return null;
  const charged = context.charge(operation.operation, cost);
  context.charged = charged;
  return chargeError(charged);
}

/** The error of a charge that was refused; `null` if it was not. */
function chargeError(charge: Charge): GraphQLError | null {
  if (charge.type === "charged") return null;
  if (charge.type !== "tooExpensive") return rateError(charge);
  const { points, limit } = charge;
  return refusal(`The operation costs ${points} points; the limit is ${limit}. Ask for fewer items (\`first\`).`);
}

/** Makes the error of an operation that is refused now, and may be sent again later. */
export function rateError(charge: Extract<Charge, { type: "exhausted" | "shed" | "tooManyOpen" }>): GraphQLError {
  const message =
    charge.type === "tooManyOpen"
      ? `This token has ${charge.limit} subscriptions open, as many as it may. End one first.`
      : retryMessage(charge);
  return new GraphQLError(message, { extensions: { code: "RATE_LIMITED", http: { status: 429 } } });
}

/** Describes to the client why it has to wait, and how long. */
export function retryMessage(charge: Extract<Charge, { type: "exhausted" | "shed" }>): string {
  const again = `Try again in ${retrySeconds(charge.retryAfterMs)} s.`;
  if (charge.type === "shed") return `The server is overloaded, and this token uses more than others. ${again}`;
  return `${charge.whose === "credential" ? "This token has" : "The organization has"} used all of its points. ${again}`;
}

/** The whole seconds after which a request may be tried again. */
export function retrySeconds(retryAfterMs: number): number {
  return Math.max(1, Math.ceil(retryAfterMs / 1000));
}
