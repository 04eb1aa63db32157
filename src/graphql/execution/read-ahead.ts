import { type GraphQLField, type GraphQLOutputType, type GraphQLResolveInfo, isObjectType } from "graphql";
import type { GraphqlContext } from "../kit/context.ts";
import type { Arguments, FieldStep, Selection } from "./field-step.ts";

/** Marks, among its extensions, a field of the root that finds an object by its argument `id`. */
export const FINDS_BY_ID = { findsById: true } as const;
/**
 * Marks a field whose resolver is given no more of its object than the id. The domain checks its read at the place of
 * the object, which it looks for in the same batch.
 */
export const NEEDS_ONLY_ID = { needsOnlyId: true } as const;

/**
 * Finds the fields of an object that can be resolved before the object is found, which saves a round trip to the
 * database. There are none if more is selected: the shown run must not be newer than the log beside it.
 */
export function stepsAhead(
  field: GraphQLField<unknown, unknown>,
  type: GraphQLOutputType,
  stepsOf: Selection,
): () => readonly FieldStep[] {
  if (field.extensions["findsById"] !== true || !isObjectType(type)) return () => [];
  return () => {
    const steps = stepsOf(type);
    const marked = steps.filter(({ name }) => type.getFields()[name]?.extensions["needsOnlyId"] === true);
    const fixed = steps.filter(({ name }) => name === "id" || name === "__typename");
    return marked.length + fixed.length === steps.length ? marked : [];
  };
}

/** Calls the resolver of such a field. Its error, also one that is thrown at once, counts when the object was found. */
export function beginAhead(
  { resolve }: FieldStep,
  id: unknown,
  args: Arguments,
  context: GraphqlContext,
  info: GraphQLResolveInfo,
): unknown {
  const begun = Promise.try(() => resolve?.({ id }, args, context, info));
  begun.catch(() => undefined);
  return begun;
}
