/** Inbound hooks as the API takes them, from their form, and how their address is used. */
import type { CreateInboundHookInput, InboundMappingInput } from "../generated/graphql.ts";
import { checkedOf, linesOfField, textOfField } from "../parts/field.ts";
import { NotSentError } from "../parts/sending.ts";

/** Gives the whole address of a hook. */
export const addressOf = (path: string): string => location.origin + path;

/** Gives the command that makes a delivery. The secret is not in it. */
export const usageOf = (path: string): string =>
  `curl -H "authorization: Bearer $SECRET" -H "webhook-id: 1" -H "content-type: application/json" -d '{}' ${addressOf(path)}`;

/** Reads a hook from its form. */
export function readHook(form: HTMLFormElement): Omit<CreateInboundHookInput, "organizationId"> {
  return {
    name: textOfField(form, "name"),
    kind: textOfField(form, "kind") === "DEPLOY" ? "DEPLOY" : "PLAN",
    workspaceIds: checkedOf(form, "workspaceIds"),
    mapping: linesOfField(form, "mapping").map(readMapping),
  };
}

/** Reads a line such as `ticket = /ticket/id`. */
function readMapping(line: string): InboundMappingInput {
  const at = line.indexOf("=");
  if (at === -1) {
    const message = "must be one value a line, such as ticket = /ticket/id.";
    throw new NotSentError("Nothing was sent. Correct the fields that are marked.", [{ path: ["mapping"], message }]);
  }
  return { key: line.slice(0, at).trim(), pointer: line.slice(at + 1).trim() };
}
