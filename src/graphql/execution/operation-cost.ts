import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  getOperationAST,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import type { OperationCost } from "../../model/limit/charge.ts";
import { type ListCost, listCostOf } from "../kit/list-cost.ts";

/** The points of each field of a mutation, beside what it returns. */
const MUTATION_POINTS = 10;
/** The points of opening a subscription, beside the lists of one item. */
const SUBSCRIPTION_POINTS = 5;

/**
 * The items of a list without an argument, where a document comes back to the type that has it and selects lists again:
 * the teams of an organization, whose organization has projects, are as many lists of projects as there are teams. Each
 * such way back multiplies. Without it, a list counts with its parent: what it holds is bounded by what exists.
 */
const ITEMS_OF_RETURN: Readonly<Record<string, number>> = { Run: 10 };
const ITEMS_OF_OTHER_RETURNS = 1000;

/** Decisions about a run that waits, and those that stop one: an overloaded server executes them too. */
const URGENT_FIELDS: ReadonlySet<string> = new Set([
  "approveRun",
  "cancelRun",
  "discardRun",
  "rejectRun",
  "withdrawApproval",
]);

/** A list of a document, with the lists of its items. */
interface List {
  readonly cost: ListCost;
  /** The numbers that bound it; the largest counts. Empty: its own size. */
  readonly counts: readonly Count[];
  readonly below: readonly List[];
}

/** The number of items: known, or that of a variable. */
type Count = number | { readonly variable: string };

interface CompiledCost {
  readonly type: OperationTypeNode;
  /** The lists below each field of the root. */
  readonly roots: readonly (readonly List[])[];
  readonly defaults: ReadonlyMap<string, ValueNode>;
  readonly urgent: boolean;
}

type Variables = Readonly<Record<string, unknown>>;

const compiled = new WeakMap<DocumentNode, Map<string, CompiledCost | null>>();

/**
 * Computes what an operation of a valid document costs at most: one point for each object that its lists can return, and
 * one for each field of the root. Conditions (`@include`, `@skip`) count as if they were met. Gives `null` if the
 * document has no such operation.
 */
export function operationCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operationName, variables }: { operationName?: string | null | undefined; variables?: Variables | null | undefined },
): OperationCost | null {
  const operations = compiled.get(document) ?? new Map<string, CompiledCost | null>();
  const name = operationName ?? "";
  let cost = operations.get(name);
  if (cost === undefined) {
    cost = compile(schema, document, operationName);
    operations.set(name, cost);
    compiled.set(document, operations);
  }
  return cost === null ? null : evaluate(cost, variables ?? {});
}

function evaluate({ type, roots, defaults, urgent }: CompiledCost, variables: Variables): OperationCost {
  let nodes = 0;
  if (type === OperationTypeNode.SUBSCRIPTION) {
    for (const lists of roots) nodes += sum(lists, variables, defaults);
    return { points: SUBSCRIPTION_POINTS + nodes, nodes };
  }
  for (const lists of roots) nodes += Math.max(1, sum(lists, variables, defaults));
  const points = type === OperationTypeNode.MUTATION ? nodes + roots.length * (MUTATION_POINTS - 1) : nodes;
  return urgent ? { points, nodes, urgent } : { points: Math.max(1, points), nodes };
}

function sum(lists: readonly List[], variables: Variables, defaults: CompiledCost["defaults"]): number {
  let nodes = 0;
  for (const { cost, counts, below } of lists) {
    let given: number | null = null;
    for (const count of counts) {
      const value = typeof count === "number" ? count : countOf(count.variable, variables, defaults);
      if (value !== null) given = Math.max(given ?? 0, value);
    }
    const items = Math.min(given ?? cost.size, cost.max);
    nodes += Math.ceil(items / cost.perPoint);
    if (below.length > 0) nodes += items * sum(below, variables, defaults);
  }
  return nodes;
}

/** Gives the number of items that the value of a variable asks for; `null` if it is not given, or not valid. */
function countOf(name: string, variables: Variables, defaults: CompiledCost["defaults"]): number | null {
  const value = variables[name];
  if (typeof value === "number" && !Number.isNaN(value)) return value;
  if (Array.isArray(value)) return value.length;
  if (typeof value === "string") return 1;
  const byDefault = value === undefined ? defaults.get(name) : undefined;
  return byDefault === undefined ? null : literalCount(byDefault);
}

function literalCount(value: ValueNode): number | null {
  if (value.kind === Kind.INT) return Number(value.value);
  if (value.kind === Kind.LIST) return value.values.length;
  return value.kind === Kind.STRING ? 1 : null;
}

function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
): CompiledCost | null {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (operation === null || operation === undefined || root === null || root === undefined) return null;
  const type = operation.operation;
  const fields = fieldsOf(schema, fragmentsOf(document), [{ type: root, selections: operation.selectionSet }]);
  return {
    type,
    roots: fields.map((field) => listsOf(schema, fragmentsOf(document), field)),
    defaults: defaultsOf(operation),
    urgent: type === OperationTypeNode.MUTATION && fields.every(({ node }) => URGENT_FIELDS.has(node.name.value)),
  };
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Map<string, ValueNode> {
  return new Map(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue === undefined ? [] : [[variable.name.value, defaultValue] as const],
    ),
  );
}

type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

function fragmentsOf({ definitions }: DocumentNode): Fragments {
  return new Map(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition] as const] : [],
    ),
  );
}

interface Selected {
  readonly type: GraphQLNamedType;
  readonly selections: SelectionSetNode;
}

/** A field of an answer, with all selections of it: fragments may select it again. */
interface SelectedField {
  readonly parent: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly node: FieldNode;
  readonly selected: Selected[];
}

function fieldsOf(schema: GraphQLSchema, fragments: Fragments, all: readonly Selected[]): SelectedField[] {
  const found = new Map<string, SelectedField>();
  const collect = ({ type, selections }: Selected): void => {
    for (const selection of selections.selections) {
      if (selection.kind === Kind.FIELD) {
        const field = isCompositeType(type) ? schema.getField(type, selection.name.value) : undefined;
        if (field !== undefined) add(type, field, selection);
        continue;
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment === undefined) continue;
      const condition = fragment.typeCondition && schema.getType(fragment.typeCondition.name.value);
      collect({ type: condition ?? type, selections: fragment.selectionSet });
    }
  };
  const add = (type: GraphQLNamedType, field: GraphQLField<unknown, unknown>, node: FieldNode): void => {
    const key = `${type.name}.${node.alias?.value ?? node.name.value}`;
    const known = found.get(key) ?? { parent: type.name, field, node, selected: [] };
    found.set(key, known);
    if (node.selectionSet) known.selected.push({ type: getNamedType(field.type), selections: node.selectionSet });
  };
  for (const selected of all) collect(selected);
  return [...found.values()];
}

/** The lists without an argument above a field: the types that have them, and the one whose items the field belongs to. */
interface Above {
  readonly types: ReadonlySet<string>;
  readonly parent: GraphQLField<unknown, unknown> | null;
}

const NOTHING_ABOVE: Above = { types: new Set(), parent: null };

/** The lists at or below a field. */
function listsOf(
  schema: GraphQLSchema,
  fragments: Fragments,
  { parent, field, node, selected }: SelectedField,
  above = NOTHING_ABOVE,
): List[] {
  const cost = field.args.map(listCostOf).find((found) => found !== null);
  const isUncounted = cost === undefined && isListOfObjects(field) && !parent.endsWith("Connection");
  const types = isUncounted ? new Set([...above.types, parent]) : above.types;
  const inner = { types, parent: field };
  const below = fieldsOf(schema, fragments, selected).flatMap((child) => listsOf(schema, fragments, child, inner));
  const own = cost === undefined ? below : [{ cost, counts: countsIn(field, node), below }];
  // The children of children are a tree, which is not larger than all that there are.
  const isReturn = above.types.has(parent) && above.parent !== field;
  if (!isReturn || (cost === undefined && !isUncounted)) return own;
  const items = ITEMS_OF_RETURN[parent] ?? ITEMS_OF_OTHER_RETURNS;
  return [{ cost: { size: items, max: items, perPoint: 1 }, counts: [], below: own }];
}

function isListOfObjects({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(getNullableType(type)) && isCompositeType(getNamedType(type));
}

/** The numbers in the arguments that bound a list. */
function countsIn(field: GraphQLField<unknown, unknown>, node: FieldNode): Count[] {
  const bounding = field.args.filter((argument) => listCostOf(argument) !== null).map(({ name }) => name);
  return (node.arguments ?? []).flatMap(({ name, value }): Count[] => {
    if (!bounding.includes(name.value)) return [];
    if (value.kind === Kind.VARIABLE) return [{ variable: value.name.value }];
    const count = literalCount(value);
    return count === null ? [] : [count];
  });
}
