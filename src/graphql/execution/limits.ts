import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";

import { LIMITS } from "../../model/kit/limits.ts";
import { refusal } from "../kit/errors.ts";

/** The cost of the most expensive operation of a document. A fragment counts at each place where it is spread. */
export interface DocumentCost {
  depth: number;
  fields: number;
  aliases: number;
}

const NOTHING: DocumentCost = { depth: 0, fields: 0, aliases: 0 };

/**
 * Measures before validation, because some of GraphQL's own rules are expensive for hostile documents. A fragment is
 * measured once and multiplied, so that nested spreads take no more time than they have tokens; one within itself
 * counts as nothing here, and validation refuses it.
 */
export function measure(document: DocumentNode): DocumentCost {
  const operations: OperationDefinitionNode[] = [];
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition);
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const measured = new Map<string, DocumentCost>();

  function ofFragment(name: string): DocumentCost {
    const known = measured.get(name);
    if (known !== undefined) return known;
    const fragment = fragments.get(name);
    if (fragment === undefined) return NOTHING;
    measured.set(name, NOTHING);
    const cost = ofSelections(fragment.selectionSet);
    measured.set(name, cost);
    return cost;
  }

  function ofSelections({ selections }: SelectionSetNode): DocumentCost {
    const sum = { ...NOTHING };
    for (const selection of selections) {
      const cost = { ...NOTHING };
      if (selection.kind === Kind.FIELD) {
        const below = selection.selectionSet === undefined ? NOTHING : ofSelections(selection.selectionSet);
        cost.depth = below.depth + 1;
        cost.fields = below.fields + 1;
        cost.aliases = below.aliases + (selection.alias === undefined ? 0 : 1);
      } else {
        const spread = selection.kind === Kind.FRAGMENT_SPREAD;
        Object.assign(cost, spread ? ofFragment(selection.name.value) : ofSelections(selection.selectionSet));
      }
      sum.depth = Math.max(sum.depth, cost.depth);
      sum.fields += cost.fields;
      sum.aliases += cost.aliases;
    }
    return sum;
  }

  const costs = operations.map((operation) => ofSelections(operation.selectionSet));
  return {
    depth: Math.max(0, ...costs.map(({ depth }) => depth)),
    fields: Math.max(0, ...costs.map(({ fields }) => fields)),
    aliases: Math.max(0, ...costs.map(({ aliases }) => aliases)),
  };
}

/** Why a document is not executed, naming the limit; null where it keeps them all. */
export function refusalOf(document: DocumentNode): GraphQLError | null {
  const { depth, fields, aliases } = measure(document);
  if (depth > LIMITS.queryDepth) {
    return refusal(`The query is nested ${depth} levels deep; the limit is ${LIMITS.queryDepth}.`);
  }
  if (fields > LIMITS.queryFields) {
    return refusal(`The query selects ${fields} fields, fragments included; the limit is ${LIMITS.queryFields}.`);
  }
  if (aliases > LIMITS.queryAliases) {
    return refusal(`The query uses ${aliases} aliases, fragments included; the limit is ${LIMITS.queryAliases}.`);
  }
  return null;
}
