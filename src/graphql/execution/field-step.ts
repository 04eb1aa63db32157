import type {
  FieldNode,
  GraphQLError,
  GraphQLFieldResolver,
  GraphQLObjectType,
  GraphQLResolveInfo,
  ResponsePath,
  VariableValues,
} from "graphql";
import type { GraphqlContext } from "../kit/context.ts";

/** The state of one execution of an operation. */
export interface Execution {
  readonly context: GraphqlContext;
  readonly rootValue: unknown;
  readonly variables: VariableValues;
  readonly errors: GraphQLError[];
  /** Positions that are null because of an error; `undefined` is the root. */
  readonly nulled: Set<ResponsePath | undefined>;
  /** Arguments that depend on variables, of the fields that were reached. */
  readonly args: Map<FieldStep, Arguments>;
  /** Values whose resolvers were called while the object that they belong to was looked up. */
  readonly ahead: Map<FieldStep, unknown>;
  readonly relations: Relations;
  /** Aborted at the end of the execution; `null` unless a resolver asked for its signal. */
  controller: AbortController | null;
  isOver: boolean;
  /** Whether graphql-js has to execute the operation, because of something that this executor has no answer to. */
  isDelegated: boolean;
}

/** A position of the response that waits for a value. */
export interface Position {
  readonly source: unknown;
  readonly result: Record<string, unknown>;
  readonly path: ResponsePath | undefined;
}

/**
 * The fields of one execution that are read for many objects at once: a list of twenty runs waits for two promises
 * instead of a hundred. All objects that are reached in one turn are read together.
 */
export interface Relations {
  readonly waiting: Map<FieldStep, Position[]>;
  /** The number of reads and completions that have begun and not ended. */
  underWay: number;
  /** Resolved when nothing waits and nothing is under way. */
  whenSettled: PromiseWithResolvers<void> | null;
}

export type Arguments = Readonly<Record<string, unknown>>;

/** Makes the sent value of a resolved one; throws or rejects if it cannot. A leaf is given the path of its parent. */
export type Complete = (execution: Execution, value: unknown, path: ResponsePath | undefined) => unknown;

/** Reads the sent value of a resolved one that cannot fail or be waited for; gives `undefined` if it has to be executed. */
export type ReadPlain = (value: unknown) => unknown;

/** Reads the values of a field for many objects: for each a value or an `Error`, in their order. */
export type ReadMany = (sources: readonly unknown[], context: GraphqlContext) => Promise<readonly unknown[]>;

/** The fields that are selected on an object type at one place of the response. */
export type Selection = (type: GraphQLObjectType) => readonly FieldStep[];

/** A field of a selection on one object type: everything that is known before the operation is executed. */
export interface FieldStep {
  /** In the response. */
  readonly key: string;
  /** In the schema. */
  readonly name: string;
  readonly parent: GraphQLObjectType;
  readonly nodes: readonly FieldNode[];
  /** `null` if the value is the property of the field's name. */
  readonly resolve: GraphQLFieldResolver<unknown, unknown, Arguments> | null;
  /** `null` unless the values of the field are read for many objects at once. */
  readonly readMany: ReadMany | null;
  /** Whether the resolver is given a full info. */
  readonly isInformed: boolean;
  /** `null` if they depend on variables. */
  readonly args: Arguments | null;
  readonly argsOf: (variables: VariableValues) => Arguments;
  /** The info of resolvers that do not declare it. */
  readonly info: GraphQLResolveInfo;
  /** Whether nothing can be selected below it. */
  readonly isLeaf: boolean;
  readonly isNullable: boolean;
  readonly complete: Complete;
  /** Fields of the object that this field looks up, which can be resolved before it is found. */
  readonly stepsAhead: () => readonly FieldStep[];
  /** `null` if the field is more than a property. */
  readonly plain: ReadPlain | null;
}

export function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}

/** Keeps the rejections of promises that are not awaited any more from being reported as unhandled. */
export function ignoreRejections(values: Iterable<unknown>): void {
  for (const value of values) if (isPromise(value)) value.then(undefined, () => undefined);
}
