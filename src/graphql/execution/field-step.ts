import type {
  FieldNode,
  GraphQLError,
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLResolveInfo,
  VariableValues,
} from "graphql";
import type { GraphqlContext } from "../kit/context.ts";

/** One execution of a query. */
export interface Execution {
  readonly context: GraphqlContext;
  readonly variables: VariableValues;
  readonly errors: GraphQLError[];
  /** Arguments that depend on variables, of the fields that were reached. */
  readonly args: Map<FieldStep, Arguments>;
  /** What was begun beside the look for the object that it belongs to. */
  readonly ahead: Map<FieldStep, unknown>;
  /** Something came up that the library has the answer to: what was found so far is not used. */
  unusual: boolean;
}

/** Where a value is in the response; only objects and items of lists have one, a field without selections needs none. */
export interface ValuePath {
  readonly before: ValuePath | null;
  readonly key: string | number;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** Makes what is sent of what a resolver gave; throws where it cannot, or promises to. */
export type Complete = (run: Execution, value: unknown, path: ValuePath | null) => unknown;

/** What is sent of a value of which nothing can fail or be waited for; undefined: only executing it can tell. */
export type ReadPlain = (value: unknown) => unknown;

/** What is selected on an object of this type, at one place of the response. */
export type Selection = (type: GraphQLObjectType) => readonly FieldStep[];

/** A field of a selection on one object type: all that can be known about it before the query is executed. */
export interface FieldStep {
  /** In the response. */
  readonly key: string;
  /** In the schema. */
  readonly name: string;
  readonly parent: GraphQLObjectType;
  readonly nodes: readonly FieldNode[];
  /** null: it is the property of its name. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown, Arguments> | null;
  /** null: they depend on variables. */
  readonly args: Arguments | null;
  readonly argsOf: (variables: VariableValues) => Arguments;
  readonly info: GraphQLResolveInfo;
  /** Whether there is nothing to select in it. */
  readonly isLeaf: boolean;
  readonly isNullable: boolean;
  readonly complete: Complete;
  /** Fields of the object that this one looks for, which need not wait until it is found. */
  readonly stepsAhead: () => readonly FieldStep[];
  /** null: it is not simply a property. */
  readonly plain: ReadPlain | null;
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** The path as clients see it. */
export function toKeys(path: ValuePath | null): (string | number)[] {
  const keys: (string | number)[] = [];
  for (let part = path; part !== null; part = part.before) keys.push(part.key);
  return keys.toReversed();
}
