import type { Json } from "../../model/plan/json.ts";
import type { Output } from "../../model/workspace/workspace.ts";

/** Shorter texts occur by chance; the runner masks from the same length. */
const HIDDEN_LENGTH = 6;

/**
 * Returns outputs as all readers may see them. An output with a secret of the workspace is hidden even if the
 * configuration does not mark it as sensitive.
 */
export function shownOutputs(
  outputs: Readonly<Record<string, { value: Json; sensitive: boolean }>>,
  secrets: readonly string[],
): Output[] {
  const hidden = secrets
    .flatMap((secret) => [secret, ...secret.split(/\r\n|\n|\r/)])
    .map((text) => text.trim())
    .filter((text) => text.length >= HIDDEN_LENGTH);
  return Object.entries(outputs).map(([name, { value, sensitive }]) => {
    const hide = sensitive || hidden.some((secret) => holds(value, secret));
    return { name, value: hide ? null : value, sensitive: hide };
  });
}

function holds(value: Json, secret: string): boolean {
  if (typeof value === "string" || typeof value === "number") return String(value).includes(secret);
  if (Array.isArray(value)) return value.some((item) => holds(item, secret));
  if (value === null || typeof value !== "object") return false;
  return Object.entries(value).some(([key, item]) => key.includes(secret) || holds(item, secret));
}
