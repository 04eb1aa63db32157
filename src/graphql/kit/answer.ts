import { USER_ERRORS, UserError, type UserErrorType } from "../../model/kit/user-error.ts";
import type { GraphqlContext } from "./context.ts";
import { present } from "./errors.ts";
import type { UserErrorValue } from "./user-error.ts";

type ErrorValue<Type extends UserErrorType> = Extract<UserErrorValue, { type: Type }>;

/**
 * Runs a command and turns the user errors of its union into members of it; any other error rises. Whatever was read
 * before the command is forgotten, because the answer shows what is true after it.
 */
export async function answer<Success extends { type: string }, Type extends UserErrorType>(
  context: GraphqlContext,
  members: readonly Type[],
  command: () => Promise<Success>,
): Promise<Success | ErrorValue<Type>> {
  try {
    return await command();
  } catch (error) {
    if (!(error instanceof UserError) || !isMember(members, USER_ERRORS[error.code].type)) throw error;
    const value = await toValue(context, error);
    if (!isValueOf(members, value)) throw error;
    return value;
  } finally {
    context.loaders.clear();
  }
}

function isMember<Type extends UserErrorType>(members: readonly Type[], type: UserErrorType): type is Type {
  return members.some((member) => member === type);
}

function isValueOf<Type extends UserErrorType>(
  members: readonly Type[],
  value: UserErrorValue,
): value is ErrorValue<Type> {
  return isMember(members, value.type);
}

async function toValue(context: GraphqlContext, error: UserError): Promise<UserErrorValue> {
  const { code, message, details } = error;
  const { type } = USER_ERRORS[code];
  switch (type) {
    case "InvalidInputError":
      return { type, code, message, issues: details.issues ?? [] };
    case "NotFoundError":
    case "ForbiddenError":
    case "NameTakenError":
      return { type, code, message };
    case "RunStateConflictError":
    case "StalePlanError":
    case "IdempotencyConflictError": {
      const [run] = await context.domain.runs(context.caller, [present(details.runId, `The run of ${code}`)]);
      return { type, code, message, run: present(run, `Run ${details.runId}`) };
    }
    case "WorkspaceLockedError": {
      const workspaceId = present(details.workspaceId, `The workspace of ${code}`);
      const [workspace] = await context.domain.workspaces(context.caller, [workspaceId]);
      return { type, code, message, lock: present(workspace?.lock, `The lock of ${workspaceId}`) };
    }
  }
}
