import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isNonNullType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  type VariableValues,
  visit,
} from "graphql";
import { collectFields, fragmentsOf } from "./collect-fields.ts";
import { completeAs } from "./complete-value.ts";
import type { Arguments, Execution, FieldStep, ReadPlain, Selection } from "./field-step.ts";
import { readPlain } from "./plain-value.ts";
import { stepsAhead } from "./read-ahead.ts";
import { resolveInfo } from "./resolve-info.ts";

/** How a query is executed, as far as its variables do not matter. It grows with the types of objects that are met. */
export interface CompiledSelection {
  readonly stepsOfRoot: () => readonly FieldStep[];
}

export interface Compiling {
  schema: GraphQLSchema;
  document: DocumentNode;
  operation: OperationDefinitionNode;
  /** They decide about `@skip` and `@include`. */
  variables: VariableValues;
  /** How many steps may still be kept: each that is made is taken from it. */
  budget: { left: number };
}

type Field = GraphQLField<unknown, unknown>;

/**
 * Works out once what the library works out for every object of every response: which fields are selected on its type,
 * with which arguments, and how their values are completed. Nothing is worked out before it is needed, so that a
 * hostile document costs no more than its execution does.
 */
export function compileSelection(compiling: Compiling): CompiledSelection {
  const { schema, document, operation } = compiling;
  const root = select({ ...compiling, fragments: fragmentsOf(document), below: new Map() }, [operation.selectionSet]);
  return {
    stepsOfRoot: () => {
      const type = schema.getRootType(operation.operation);
      return type === undefined || type === null ? [] : root(type);
    },
  };
}

interface Compiler extends Compiling {
  fragments: Record<string, FragmentDefinitionNode>;
  /** What is selected below a field: the same wherever a fragment puts it. */
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
  const { schema } = compiler;
  const [node] = nodes;
  const field = node === undefined ? undefined : schema.getField(parent, node.name.value);
  if (node === undefined || field === undefined) return null;
  const info = resolveInfo(compiler, { parent, field, nodes });
  const { type } = field;
  const stepsOf = selectBelow(compiler, nodes);
  return {
    key,
    name: field.name,
    parent,
    nodes,
    resolve: field.resolve ?? null,
    args: constantArguments(field, node),
    argsOf: (values) => getArgumentValues(field, node, values),
    info,
    isLeaf: isLeafType(isNonNullType(type) ? type.ofType : type),
    isNullable: !isNonNullType(type),
    complete: key === "__proto__" ? unusual : completeAs(type, { schema, info, stepsOf }),
    stepsAhead: stepsAhead(field, type, stepsOf),
    plain: key === "__proto__" ? null : readProperty(parent, field, stepsOf),
  };
}

/** null: something else than a property. */
function readProperty(parent: GraphQLObjectType, { name, type, resolve }: Field, stepsOf: Selection): ReadPlain | null {
  if (name === TypeNameMetaFieldDef.name) return () => parent.name;
  return resolve === undefined ? readPlain(type, stepsOf) : null;
}

/** An object cannot simply be given such a key. */
function unusual(run: Execution): null {
  run.unusual = true;
  return null;
}

/** Arguments that are the same each time; null: they depend on variables, or only the library can say what is wrong. */
function constantArguments(field: Field, node: FieldNode): Arguments | null {
  if (field.args.length === 0) return NO_ARGUMENTS;
  let isConstant = true;
  const variable = (): void => {
    isConstant = false;
  };
  for (const argument of node.arguments ?? []) visit(argument, { Variable: variable });
  if (!isConstant) return null;
  try {
    return Object.freeze(getArgumentValues(field, node));
  } catch {
    return null;
  }
}

const NO_ARGUMENTS: Arguments = Object.freeze({});
