/** Inbound hooks: addresses at which other systems make runs of fixed workspaces. */
import type { Json } from "../plan/json.ts";

export const INBOUND_KINDS = ["DEPLOY", "PLAN"] as const;
export type InboundKind = (typeof INBOUND_KINDS)[number];

/** A value of the body that its runs get as metadata. */
export interface InboundMapping {
  /** The key of the metadata. */
  key: string;
  /** A JSON pointer (RFC 6901) into the body, such as /ticket/id. */
  pointer: string;
}

/** A hook without its secret. Instants are RFC 3339 with milliseconds and Z. */
export interface InboundHook {
  id: string;
  organizationId: string;
  name: string;
  workspaceIds: readonly string[];
  kind: InboundKind;
  mapping: readonly InboundMapping[];
  /** The actor under whose rights its runs are created. */
  ownerId: string;
  createdAt: string;
  /** The last delivery that was accepted; `null` before the first. */
  lastAt: string | null;
  /** Why that had no runs, or not in all workspaces; `null` if nothing was wrong. */
  lastProblem: string | null;
}

export const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)+$/.test(text);

/** Returns the value at a JSON pointer; `undefined` if there is none. Members that objects inherit are none. */
function valueAt(body: Json, pointer: string): Json | undefined {
  let value: Json | undefined = body;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null) return undefined;
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d{0,8})$/.test(name) ? value[Number(name)] : undefined;
    else value = Object.hasOwn(value, name) ? value[name] : undefined;
  }
  return value;
}

/** Returns the metadata of a body: texts, numbers and booleans, cut to a length. Others, and absent ones, are left out. */
export function inboundMetadata(
  mapping: readonly InboundMapping[],
  body: Json,
  mostCharacters: number,
): Record<string, string> {
  const entries = mapping.flatMap(({ key, pointer }): [string, string][] => {
    const value = valueAt(body, pointer);
    if (typeof value !== "string" && typeof value !== "number" && typeof value !== "boolean") return [];
    const text = String(value).replaceAll("\0", "").slice(0, mostCharacters).toWellFormed();
    return [[key, text]];
  });
  return Object.fromEntries(entries);
}
