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
import type { FieldStep } from "./field-step.ts";
import { compileSelection, type CompiledSelection } from "./compile-selection.ts";

/** Plans of one document: its operations, and the values of variables that decide what is selected. */
const PLANS = 8;
/** Steps that are kept for a document at least; more for long ones, so that memory is bounded by what is cached of text. */
const STEPS = 500;

/** What executing an operation takes. */
export type OperationArgs = Pick<ExecutionArgs, "schema" | "document" | "operationName" | "variableValues"> & {
  contextValue: GraphqlContext;
};

/** An operation that is executed by a plan. */
export interface CompiledOperation {
  /** Of its root. */
  readonly steps: readonly FieldStep[];
  readonly variables: VariableValues;
}

/** null: it is of another type, or left to the library. */
export type CompileOperation = (type: OperationTypeNode, args: OperationArgs) => CompiledOperation | null;

interface PlansOfDocument {
  conditions: readonly string[];
  /** Steps that may still be kept. */
  budget: { left: number };
  /** null: the document is left to the library. */
  plans: Map<string, CompiledSelection> | null;
}

/** Documents are planned once, for as long as somebody keeps them. */
export function createOperationCompiler(): CompileOperation {
  const documents = new WeakMap<DocumentNode, PlansOfDocument>();
  return (type, { schema, document, operationName, variableValues }) => {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== type) return null;
    const { variableDefinitions = [] } = operation;
    const { variableValues: variables } = getVariableValues(schema, variableDefinitions, variableValues ?? {});
    if (variables === undefined) return null;
    const known = documents.get(document) ?? begin(document);
    documents.set(document, known);
    const { conditions, budget } = known;
    if (budget.left < 0) known.plans = null;
    if (known.plans === null) return null;
    const name = operation.name?.value ?? "";
    const values = conditions.map((condition) => variables.coerced[condition]);
    // An error at each object that has such a selection, once the object was found: left to the library.
    if (values.includes(null)) return null;
    const key = values.length === 0 ? name : JSON.stringify([name, ...values]);
    const found = known.plans.get(key);
    if (found === undefined && known.plans.size >= PLANS) return null;
    const plan = found ?? compileSelection({ schema, document, operation, variables, budget });
    known.plans.set(key, plan);
    return { steps: plan.stepsOfRoot(), variables };
  };
}

function begin(document: DocumentNode): PlansOfDocument {
  const left = STEPS + (document.loc?.end ?? 0) / 2;
  return { conditions: conditionsOf(document), budget: { left }, plans: new Map() };
}
