import { type DocumentNode, getOperationAST, Kind, type ValueNode } from "graphql";
import { idKind } from "../../model/kit/id.ts";
import type { ServerContext } from "../kit/context.ts";

const NAME_LENGTH = 80;

interface NotedOperation {
  document: DocumentNode;
  operationName?: string | null | undefined;
  variableValues?: Readonly<Record<string, unknown>> | null | undefined;
}

/** Reports to the transport, for its log, the name of an operation and the run that it is about. */
export function noteOperation({ note }: ServerContext, operation: NotedOperation): void {
  note?.(operationFacts(operation));
}

function operationFacts({ document, operationName, variableValues }: NotedOperation) {
  const operation = getOperationAST(document, operationName);
  if (operation === null || operation === undefined) return {};
  const field = operation.selectionSet.selections.find((selection) => selection.kind === Kind.FIELD);
  const name = operation.name?.value ?? field?.name.value ?? "";
  const literals = field?.arguments?.map((argument) => literal(argument.value)) ?? [];
  const runId = findRunId([variableValues, literals], 3);
  return {
    operation: `${operation.operation} ${name.slice(0, NAME_LENGTH)}`,
    ...(runId !== null && { runId }),
  };
}

/** Texts of a literal, as deep as an input goes. */
function literal(node: ValueNode): unknown {
  if (node.kind === Kind.STRING) return node.value;
  return node.kind === Kind.OBJECT ? node.fields.map((field) => literal(field.value)) : null;
}

function findRunId(value: unknown, depth: number): string | null {
  if (typeof value === "string") return idKind(value) === "run" ? value : null;
  if (typeof value !== "object" || value === null || depth === 0) return null;
  for (const part of Object.values(value)) {
    const found = findRunId(part, depth - 1);
    if (found !== null) return found;
  }
  return null;
}
