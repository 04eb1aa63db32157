import { createHash } from "node:crypto";

type Bytes = Buffer<ArrayBuffer>;

/** What stands before the first list or object in it. */
const HEAD = /^\s*\{[^{}[\]]*/;

/**
 * A state that the engine left in its folder, fit to be a version. Of a workspace without any state the engine gives the
 * first one its lineage when it brings it to the backend; where it never got so far, what it saves has none, and serial
 * 0. It gets a lineage from `seed` then, the same one whenever it is read. Every other byte stays as it is: numbers in it
 * may be more exact than those of JavaScript.
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

/** Looks as the engine's own do. */
function lineageOf(seed: string): string {
  const hex = createHash("sha256").update(`lineage of ${seed}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join("-");
}
