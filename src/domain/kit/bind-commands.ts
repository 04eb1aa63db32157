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

/** Runs the work of a command with the dependencies and the caller that it is to use. */
export type RunCommand = <Result>(
  caller: ActorCaller,
  work: (deps: Deps, caller: ActorCaller) => Promise<Result>,
) => Promise<Result>;

/** Binds each command to the way in which it is run. */
export function bindCommands<Declared extends Commands>(
  runCommand: RunCommand,
  commands: Declared,
): BoundCommands<Declared> {
  const bound = Object.entries(commands).map(([name, { run }]) => [
    name,
    (caller: ActorCaller, input: never): Promise<unknown> =>
      runCommand(caller, (deps, current) => run(deps, current, input)),
  ]);
  return Object.fromEntries(bound);
}
