import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  type GraphQLObjectType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  type VariableValues,
  visit,
} from "graphql";

export function fragmentsOf({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> {
  const found = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return Object.fromEntries(found.map((fragment) => [fragment.name.value, fragment]));
}

/** Finds the variables that decide what is selected. */
export function conditionsOf(document: DocumentNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive: ({ arguments: args = [] }) => {
      for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return [...names];
}

/** Collects the fields that are selected on the type by their keys in the response, in the order of the specification. */
export function collectFields(
  from: Pick<Collecting, "schema" | "fragments" | "variables">,
  type: GraphQLObjectType,
  sets: readonly SelectionSetNode[],
): Map<string, FieldNode[]> {
  const { schema, fragments, variables } = from;
  const into: Collecting = { schema, fragments, variables, type, fields: new Map(), visited: new Set() };
  for (const set of sets) collect(into, set);
  return into.fields;
}

interface Collecting {
  schema: GraphQLSchema;
  fragments: Record<string, FragmentDefinitionNode>;
  variables: VariableValues;
  type: GraphQLObjectType;
  fields: Map<string, FieldNode[]>;
  visited: Set<string>;
}

function collect(into: Collecting, { selections }: SelectionSetNode): void {
  for (const selection of selections) {
    if (!isIncluded(selection, into.variables)) continue;
    if (selection.kind === Kind.FIELD) {
      const key = (selection.alias ?? selection.name).value;
      const nodes = into.fields.get(key);
      if (nodes === undefined) into.fields.set(key, [selection]);
      else nodes.push(selection);
      continue;
    }
    if (selection.kind === Kind.INLINE_FRAGMENT) {
      if (isFor(into, selection.typeCondition?.name.value)) collect(into, selection.selectionSet);
      continue;
    }
    const name = selection.name.value;
    const fragment = into.fragments[name];
    if (fragment === undefined || into.visited.has(name)) continue;
    into.visited.add(name);
    if (isFor(into, fragment.typeCondition.name.value)) collect(into, fragment.selectionSet);
  }
}

function isIncluded(node: SelectionNode, variables: VariableValues): boolean {
  if (node.directives === undefined || node.directives.length === 0) return true;
  if (getDirectiveValues(GraphQLSkipDirective, node, variables)?.["if"] === true) return false;
  return getDirectiveValues(GraphQLIncludeDirective, node, variables)?.["if"] !== false;
}

function isFor({ schema, type }: Collecting, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const found = schema.getType(condition);
  return isAbstractType(found) && schema.isSubType(found, type);
}
