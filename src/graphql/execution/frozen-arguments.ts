import {
  type FieldNode,
  getArgumentValues,
  getNullableType,
  type GraphQLField,
  isLeafType,
  type VariableValues,
  visit,
} from "graphql";
import type { Arguments } from "./field-step.ts";

/** Gives the frozen arguments of a field without variables; `null` if they depend on variables, or do not fit. */
export function constantArguments(field: GraphQLField<unknown, unknown>, node: FieldNode): Arguments | null {
  if (field.args.length === 0) return NO_ARGUMENTS;
  let isConstant = true;
  const variable = (): void => {
    isConstant = false;
  };
  for (const argument of node.arguments ?? []) visit(argument, { Variable: variable });
  if (!isConstant) return null;
  try {
    return frozenArguments(getArgumentValues(field, node));
  } catch {
    return null;
  }
}

/**
 * Makes a reader of the arguments that depend on variables, which the items of a list share. Those that have nothing but
 * scalars are not frozen: that costs a tenth of the execution of `run(id: $id)`.
 */
export function argumentsReader(
  field: GraphQLField<unknown, unknown>,
  node: FieldNode,
): (variables: VariableValues) => Arguments {
  const isFlat = field.args.every(({ type }) => isLeafType(getNullableType(type)));
  if (isFlat) return (variables) => getArgumentValues(field, node, variables);
  return (variables) => frozenArguments(getArgumentValues(field, node, variables));
}

/** Freezes arguments all the way down: several calls share them, and a change would reach the other calls. */
function frozenArguments(args: Record<string, unknown>): Arguments {
  freeze(args);
  return args;
}

function freeze(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  if (!Array.isArray(value) && !isPlainObject(value)) return;
  Object.freeze(value);
  for (const part of Object.values(value)) freeze(part);
}

/** Values of scalars may be of classes that cannot be frozen, such as bytes. */
function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

const NO_ARGUMENTS: Arguments = Object.freeze({});
