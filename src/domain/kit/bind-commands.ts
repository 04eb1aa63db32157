import type { TokenCaller } from "../../model/people/permission.ts";
import type { Deps } from "./deps.ts";

/** A command: what it is built from, on whose behalf it works, and its input. */
type Command<Input, Result> = (deps: Deps, caller: TokenCaller, input: Input) => Result;

/** Commands by name, as their callers see them: without the dependencies. */
export type BoundCommands<Commands> = {
  [Name in keyof Commands]: Commands[Name] extends Command<infer Input, infer Result>
    ? (caller: TokenCaller, input: Input) => Result
    : never;
};

/** Binds each command to its dependencies. */
export function bindCommands<Commands extends object>(deps: Deps, commands: Commands): BoundCommands<Commands> {
  const bound = Object.entries(commands).map(([name, command]) => [
    name,
    (caller: TokenCaller, input: unknown): unknown => command(deps, caller, input),
  ]);
  return Object.fromEntries(bound);
}
