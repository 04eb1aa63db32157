/** Reads the parameters that programs send. */
import type { IncomingMessage } from "node:http";
import type { Permission } from "../../model/people/permission-set.ts";
import { isClientName, permissionsOfScope } from "../../model/people/program.ts";
import { readForm } from "../sign-in/body.ts";
import { OAuthError } from "./oauth-answer.ts";

/** Parameters by name. */
export interface Parameters {
  /** Returns a parameter; empty if it is absent. */
  optional(name: string): string;
  /** Returns a parameter. Throws invalid_request if it is absent. */
  required(name: string): string;
}

const FORM = "application/x-www-form-urlencoded";

/** Reads the form of a request. */
export async function readParameters(request: IncomingMessage): Promise<Parameters> {
  const type = request.headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== FORM) throw new OAuthError("invalid_request", `Send the parameters as ${FORM}.`);
  return parametersIn(await readForm(request));
}

/** Each parameter may be given once: of two values, programs on the way may see another than the server. */
export function parametersIn(given: URLSearchParams): Parameters {
  const optional = (name: string): string => {
    const values = given.getAll(name);
    if (values.length > 1) throw new OAuthError("invalid_request", `The parameter ${name} must be given once.`);
    return values[0] ?? "";
  };
  return {
    optional,
    required(name) {
      const value = optional(name);
      if (value === "") throw new OAuthError("invalid_request", `The parameter ${name} is missing.`);
      return value;
    },
  };
}

/** Reads the name of the program. It is not registered anywhere: people see it as a claim of the program. */
export function clientIn(parameters: Parameters): string {
  const client = parameters.required("client_id");
  if (isClientName(client)) return client;
  const form = "1 to 60 letters, digits, blanks, dots, underscores and dashes";
  throw new OAuthError("invalid_client", `The parameter client_id must have ${form}.`);
}

/** Reads the permissions that the program asks for; `null`: all that the person has. */
export function permissionsIn(parameters: Parameters): readonly Permission[] | null {
  const permissions = permissionsOfScope(parameters.optional("scope"));
  if (permissions !== undefined) return permissions;
  throw new OAuthError("invalid_scope", "The parameter scope must list permissions of the API, such as RUN_READ.");
}
