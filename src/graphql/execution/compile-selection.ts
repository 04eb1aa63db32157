import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  type VariableValues,
} from "graphql";
import { collectFields, fragmentsOf } from "./collect-fields.ts";
import { completeAs } from "./complete-value.ts";
import type { Execution, FieldStep, ReadPlain, Selection } from "./field-step.ts";
import { argumentsReader, constantArguments } from "./frozen-arguments.ts";
import { readPlain } from "./plain-value.ts";
import { stepsAhead } from "./read-ahead.ts";
import { readManyOf } from "./relations.ts";
import { isInformed, sharedInfo } from "./resolve-info.ts";

/** The steps of an operation's root. Steps below it are made when an object of their type is first met. */
export type CompiledSelection = () => readonly FieldStep[];

export interface Compiling {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** They decide about `@skip` and `@include`. */
  variables: VariableValues;
  /** How many steps may still be kept: each step that is made is subtracted. */
  budget: { left: number };
}

type Field = GraphQLField<unknown, unknown>;

/**
 * Works out once what graphql-js works out for every object of every response: which fields are selected on its type,
 * with which arguments, and how their values are completed. No step is made before it is needed, so that a hostile
 * document costs no more than its execution does.
 */
export function compileSelection(compiling: Compiling): CompiledSelection {
  const { schema, document, operation } = compiling;
  const fragments = fragmentsOf(document);
  const root = select({ ...compiling, fragments, below: new Map() }, [operation.selectionSet]);
  return () => {
    const type = schema.getRootType(operation.operation);
    return type === undefined || type === null ? [] : root(type);
  };
}

interface Compiler extends Compiling {
  fragments: Record<string, FragmentDefinitionNode>;
  /** The selection below each field, shared by all places into which fragments put the field. */
  below: Map<FieldNode, Selection>;
}

function select(compiler: Compiler, sets: readonly SelectionSetNode[]): Selection {
  const known = new Map<GraphQLObjectType, readonly FieldStep[]>();
  return (type) => {
    const found = known.get(type);
    if (found !== undefined) return found;
    const fields = collectFields(compiler, type, sets);
    const steps = Array.from(fields, ([key, nodes]) => stepOf(compiler, type, key, nodes));
    const made = steps.filter((step) => step !== null);
    compiler.budget.left -= made.length;
    known.set(type, made);
    return made;
  };
}

function selectBelow(compiler: Compiler, nodes: readonly FieldNode[]): Selection {
  const [only, another] = nodes;
  const sets = nodes.map(({ selectionSet }) => selectionSet).filter((set) => set !== undefined);
  if (only === undefined || another !== undefined) return select(compiler, sets);
  const selection = compiler.below.get(only) ?? select(compiler, sets);
  compiler.below.set(only, selection);
  return selection;
}

function stepOf(compiler: Compiler, parent: GraphQLObjectType, key: string, nodes: FieldNode[]): FieldStep | null {
  const { schema, fragments, operation } = compiler;
  const [node] = nodes;
  const field = node === undefined ? undefined : schema.getField(parent, node.name.value);
  if (node === undefined || field === undefined) return null;
  const { name, type, resolve = null } = field;
  const facts = { fieldName: name, fieldNodes: nodes, returnType: type, parentType: parent };
  const info = sharedInfo({ ...facts, schema, fragments, operation });
  const stepsOf = selectBelow(compiler, nodes);
  return {
    key,
    name,
    parent,
    nodes,
    resolve,
    readMany: key === "__proto__" ? null : readManyOf(field),
    isInformed: resolve !== null && isInformed(resolve),
    args: constantArguments(field, node),
    argsOf: argumentsReader(field, node),
    info,
    isLeaf: isLeafType(isNonNullType(type) ? type.ofType : type),
    isNullable: !isNonNullType(type),
    complete: key === "__proto__" ? delegated : completeAs(type, { schema, info, stepsOf }),
    stepsAhead: stepsAhead(field, type, stepsOf),
    plain: key === "__proto__" ? null : readProperty(parent, field, stepsOf),
  };
}

/** Gives `null` if the field is more than a property. */
function readProperty(parent: GraphQLObjectType, { name, type, resolve }: Field, stepsOf: Selection): ReadPlain | null {
  if (name === TypeNameMetaFieldDef.name) return () => parent.name;
  return resolve === undefined ? readPlain(type, stepsOf) : null;
}

/** Completes a field whose key a plain object cannot have. */
function delegated(execution: Execution): null {
  execution.isDelegated = true;
  return null;
}
