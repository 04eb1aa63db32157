/** Checks the arguments of functions. */
import type { Sanitizer } from "../kit/sanitizer.ts";
import { isArray, isObject, isSet, type RegoObject, type RegoValue } from "./rego-value.ts";

/** A function without a result: in Rego it is undefined, and the expression that calls it does not hold. */
export class UndefinedResult extends Error {
  override name = "UndefinedResult";
}

export type Arguments = readonly RegoValue[];

export interface BuiltinContext {
  /** The instant of the judgement, in nanoseconds since 1970. */
  nowNs: bigint;
  sanitizer: Sanitizer;
}

/** A function of Rego. It throws `UndefinedResult` where OPA reports an error. */
export type Builtin = (args: Arguments, context: BuiltinContext) => RegoValue;

export type Builtins = { readonly [name: string]: Builtin };

export function undefinedResult(reason: string): UndefinedResult {
  return new UndefinedResult(reason);
}

export function stringAt(args: Arguments, index: number): string {
  const value = args[index];
  if (typeof value !== "string") throw undefinedResult(`operand ${index + 1} must be a string`);
  return value;
}

export function numberAt(args: Arguments, index: number): number | bigint {
  const value = args[index];
  if (typeof value !== "number" && typeof value !== "bigint")
    throw undefinedResult(`operand ${index + 1} must be a number`);
  return value;
}

export function integerAt(args: Arguments, index: number): number {
  const value = Number(numberAt(args, index));
  if (!Number.isInteger(value)) throw undefinedResult(`operand ${index + 1} must be an integer`);
  return value;
}

export function arrayAt(args: Arguments, index: number): readonly RegoValue[] {
  const value = args[index];
  if (!isArray(value)) throw undefinedResult(`operand ${index + 1} must be an array`);
  return value;
}

/** The members of an array or a set. */
export function membersAt(args: Arguments, index: number): readonly RegoValue[] {
  const value = args[index];
  if (isArray(value)) return value;
  if (isSet(value)) return [...value];
  throw undefinedResult(`operand ${index + 1} must be an array or a set`);
}

export function objectAt(args: Arguments, index: number): RegoObject {
  const value = args[index];
  if (!isObject(value)) throw undefinedResult(`operand ${index + 1} must be an object`);
  return value;
}

/** The texts of a string, an array or a set. */
export function stringsAt(args: Arguments, index: number): readonly string[] {
  const value = args[index];
  if (typeof value === "string") return [value];
  return membersAt(args, index).map((member) => {
    if (typeof member !== "string") throw undefinedResult(`operand ${index + 1} must hold strings`);
    return member;
  });
}
