import { createHash } from "node:crypto";

type Bytes = Buffer<ArrayBuffer>;

/** The text before the first list or object of a state. */
const HEAD = /^\s*\{[^{}[\]]*/;

/**
 * Completes a state that the engine left in its folder. The engine sets the lineage of a first state when it stores it in
 * the backend; a state that it could not store may have none, and serial 0. It gets a lineage from `seed`, the same at
 * every read. All other bytes stay: numbers may be more exact than those of JavaScript.
 */
export function withLineage(state: Bytes, seed: string): Bytes {
  const text = state.toString();
  const head = HEAD.exec(text)?.[0] ?? "";
  if (!/"lineage":\s*""/.test(head)) return state;
  const fixed = head
    .replace(/("lineage":\s*)""/, (_, key: string) => `${key}"${lineageOf(seed)}"`)
    .replace(/("serial":\s*)0\b/, (_, key: string) => `${key}1`);
  return Buffer.from(fixed + text.slice(head.length));
}

/** Builds a lineage in the form of the engine's own. */
function lineageOf(seed: string): string {
  const hex = createHash("sha256").update(`lineage of ${seed}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
