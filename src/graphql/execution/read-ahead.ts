import { type GraphQLField, type GraphQLOutputType, isObjectType } from "graphql";
import type { Arguments, Execution, FieldStep, Selection } from "./field-step.ts";

/** Marks, among its extensions, a field that finds an object by its argument `id`. */
export const FINDS_BY_ID = { findsById: true } as const;
/** Marks a field whose resolver is given no more of its object than the id. Rights must not depend on the object. */
export const NEEDS_ONLY_ID = { needsOnlyId: true } as const;

/**
 * The fields of an object that can be resolved beside the look for it, which saves a round trip to the database; none
 * where more is selected: what is shown of a run must not be newer than the log that is shown with it.
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

/** Begins to resolve one of them; whether anybody is told what came of it is seen when the object is there. */
export function beginAhead(run: Execution, { resolve, info }: FieldStep, id: unknown, args: Arguments): unknown {
  // What is thrown at once belongs to this field, too, and not to the one that looks for the object.
  const begun = Promise.try(() => resolve?.({ id }, args, run.context, info));
  begun.catch(() => undefined);
  return begun;
}
