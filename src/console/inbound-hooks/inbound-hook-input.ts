/** Inbound hooks as the API takes them, from their form, and how their address is used. */
import type { CreateInboundHookInput, InboundMappingInput } from "../generated/graphql.ts";
import { changedOf, checkedOf, linesOfField, textOfField } from "../parts/field.ts";
import { wrongField } from "../parts/sending.ts";
import { mappingOfLine } from "./mapping-line.ts";

/** Gives the whole address of a hook. */
export const addressOf = (path: string): string => location.origin + path;

/** Gives the command that makes a delivery. The secret is not in it. */
export const usageOf = (path: string): string =>
  `curl -H "authorization: Bearer $SECRET" -H "webhook-id: 1" -H "content-type: application/json" -d '{}' ${addressOf(path)}`;

/** Reads what a person has changed of a hook from its form. */
export const readHookChanges = (form: HTMLFormElement) => changedOf(form, readHook(form));

/** Reads a hook from its form. */
export function readHook(form: HTMLFormElement): Omit<CreateInboundHookInput, "organizationId"> {
  return {
    name: textOfField(form, "name"),
    kind: textOfField(form, "kind") === "DEPLOY" ? "DEPLOY" : "PLAN",
    workspaceIds: checkedOf(form, "workspaceIds"),
    mapping: readMapping(form),
  };
}

const WRONG_LINE =
  'must be one value a line, such as ticket = /ticket/id. Write a key with = in it, or with a quote at its beginning, in quotes: "a=b" = /c.';

function readMapping(form: HTMLFormElement): InboundMappingInput[] {
  return linesOfField(form, "mapping").map((line) => {
    const value = mappingOfLine(line);
    if (value === null) throw wrongField("mapping", WRONG_LINE);
    return value;
  });
}
