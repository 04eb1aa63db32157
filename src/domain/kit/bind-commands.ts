import type { UserErrorCode } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import type { Deps } from "./deps.ts";

/** A command: its dependencies, the caller it works for, and its input. */
type Command<Input, Result> = (deps: Deps, caller: ActorCaller, input: Input) => Promise<Result>;

/** A command with the codes of the user errors that it throws. They are the error members of its union in the API. */
interface DeclaredCommand<Input, Result> {
  run: Command<Input, Result>;
  errors: readonly UserErrorCode[];
}

/** The commands of a resource, by the names of their mutations. */
export type Commands = Readonly<Record<string, DeclaredCommand<never, unknown>>>;

/** Commands by name, without the parameter for dependencies. */
export type BoundCommands<Declared> = {
  [Name in keyof Declared]: Declared[Name] extends DeclaredCommand<infer Input, infer Result>
    ? (caller: ActorCaller, input: Input) => Promise<Result>
    : never;
};

/** Binds each command to its dependencies. */
export function bindCommands<Declared extends Commands>(deps: Deps, commands: Declared): BoundCommands<Declared> {
  const bound = Object.entries(commands).map(([name, { run }]) => [
    name,
    (caller: ActorCaller, input: never): Promise<unknown> => run(deps, caller, input),
  ]);
  return Object.fromEntries(bound);
}
