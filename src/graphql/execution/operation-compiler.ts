import {
  type DocumentNode,
  type ExecutionArgs,
  getOperationAST,
  getVariableValues,
  type OperationTypeNode,
  type VariableValues,
} from "graphql";
import type { GraphqlContext } from "../kit/context.ts";
import { conditionsOf } from "./collect-fields.ts";
import { type CompiledSelection, compileSelection } from "./compile-selection.ts";
import type { FieldStep } from "./field-step.ts";

/** Variants of one document: its operations, times the values of the variables that decide what is selected. */
const VARIANTS = 8;
/** Steps that a document may keep at least; long documents keep more, so that memory is bounded by the cached text. */
const STEPS = 500;

/** The arguments of an execution that graphql-js alone knows. */
const OF_LIBRARY = ["fieldResolver", "typeResolver", "subscribeFieldResolver", "abortSignal", "hooks"] as const;

/** The arguments of an execution. */
export type OperationArgs = Pick<
  ExecutionArgs,
  "schema" | "document" | "operationName" | "variableValues" | "rootValue" | (typeof OF_LIBRARY)[number]
> & {
  contextValue: GraphqlContext;
};

/** An operation with the variables of one request. */
export interface CompiledOperation {
  /** The fields of the root. */
  readonly steps: readonly FieldStep[];
  readonly variables: VariableValues;
}

/** Gives `null` if the operation has another type than the wanted one, or is delegated to graphql-js. */
export type CompileOperation = (type: OperationTypeNode, args: OperationArgs) => CompiledOperation | null;

interface CompiledDocument {
  readonly conditions: readonly string[];
  /** Steps that the document may still keep. */
  readonly budget: { left: number };
  /** `null` if the document is delegated to graphql-js. */
  variants: Map<string, CompiledSelection> | null;
}

/** Compiles each document once, and keeps the result as long as the document itself is kept. */
export function createOperationCompiler(): CompileOperation {
  const documents = new WeakMap<DocumentNode, CompiledDocument>();
  return (type, args) => {
    const { schema, document, operationName, variableValues } = args;
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== type) return null;
    const { variableDefinitions = [], directives = [] } = operation;
    if (directives.length > 0 || OF_LIBRARY.some((name) => args[name] !== undefined)) return null;
    const { variableValues: variables } = getVariableValues(schema, variableDefinitions, variableValues ?? {});
    if (variables === undefined) return null;
    const known = documents.get(document) ?? begin(document);
    documents.set(document, known);
    const { conditions, budget } = known;
    if (budget.left < 0) known.variants = null;
    if (known.variants === null) return null;
    const name = operation.name?.value ?? "";
    const values = conditions.map((condition) => variables.coerced[condition]);
    // An error at each object that has such a selection, once the object was found.
    if (values.includes(null)) return null;
    const key = values.length === 0 ? name : JSON.stringify([name, ...values]);
    const found = known.variants.get(key);
    if (found === undefined && known.variants.size >= VARIANTS) return null;
    const selection = found ?? compileSelection({ schema, document, operation, variables, budget });
    known.variants.set(key, selection);
    return { steps: selection(), variables };
  };
}

function begin(document: DocumentNode): CompiledDocument {
  const left = STEPS + (document.loc?.end ?? 0) / 2;
  return { conditions: conditionsOf(document), budget: { left }, variants: new Map() };
}
