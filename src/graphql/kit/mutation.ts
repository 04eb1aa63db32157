import type { InputFieldMap, InputShapeFromFields, InputShapeFromTypeParam } from "@pothos/core";
import { COMMANDS, type Domain } from "../../domain/domain.ts";
import { USER_ERRORS, UserError, type UserErrorCode } from "../../model/kit/user-error.ts";
import { builder, type FieldsOf, type InputFieldsOf, type Types } from "./builder.ts";
import type { GraphqlContext } from "./context.ts";
import { ERROR_REFS, toErrorValue, type UserErrorValue } from "./user-error.ts";

type CommandName = keyof typeof COMMANDS;

/** The outcome of a command that was not refused: a member of the union of its mutation. */
interface SuccessValue<Result> {
  type: string;
  value: Result;
}

/** The success type of a mutation, whose fields show the result of the command. */
export interface Success<Result> {
  description: string;
  fields: FieldsOf<SuccessValue<Result>>;
}

/** The arguments of a mutation whose input has these fields. */
type Arguments<Fields extends InputFieldMap> = InputShapeFromFields<{
  input: PothosSchemaTypes.ArgumentRef<
    Types,
    InputShapeFromTypeParam<Types, PothosSchemaTypes.InputObjectRef<Types, InputShapeFromFields<Fields>>, true>
  >;
}>;

/** A mutation, as it differs from the others. */
interface Mutation<Name extends CommandName, Fields extends InputFieldMap> {
  description: string;
  /** The description of the argument `input`. */
  argument: string;
  input: { description: string; fields: InputFieldsOf<Fields> };
  success: Success<Awaited<ReturnType<Domain[Name]>>>;
  /** Calls the command, which is the only one in reach, with its arguments in the words of the domain. */
  run: (
    domain: Pick<Domain, Name>,
    caller: GraphqlContext["caller"],
    args: Arguments<Fields>,
  ) => ReturnType<Domain[Name]>;
}

/**
 * Adds the mutation of a command, with its types `...Input`, `...Success` and `...Result`. The union has an error
 * member for each code that the domain declares for the command, so that none is forgotten. Returns the success type.
 */
export function mutation<Name extends CommandName, Fields extends InputFieldMap>(
  name: Name,
  { description, argument, input, success, run }: Mutation<Name, Fields>,
) {
  const errors: readonly UserErrorCode[] = COMMANDS[name].errors;
  const typeName = name.charAt(0).toUpperCase() + name.slice(1);
  const inputRef = builder.inputType(`${typeName}Input`, input);
  const type = `${typeName}Success`;
  const successRef = builder.objectRef<SuccessValue<Awaited<ReturnType<Domain[Name]>>>>(type).implement(success);
  const resultRef = builder.unionType(`${typeName}Result`, {
    description: `The result of \`${name}\`.`,
    types: [successRef, ...errors.map((code) => ERROR_REFS[USER_ERRORS[code].type])],
    resolveType: (value) => value.type,
  });
  builder.mutationField(name, (t) =>
    t.field({
      type: resultRef,
      description,
      args: { input: t.arg({ type: inputRef, required: true, description: argument }) },
      resolve: (_root, args, context) =>
        settle(context, errors, async () => ({ type, value: await run(context.domain, context.caller, args) })),
    }),
  );
  return successRef;
}

/**
 * Runs a command and returns its declared user errors as values; any other error rises. Earlier reads are forgotten,
 * because the result shows the state after the command.
 */
async function settle<Outcome>(
  context: GraphqlContext,
  errors: readonly UserErrorCode[],
  command: () => Promise<Outcome>,
): Promise<Outcome | UserErrorValue> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof UserError) || !errors.includes(error.code)) throw error;
    return await toErrorValue(context, error);
  } finally {
    context.loaders.clear();
  }
}
