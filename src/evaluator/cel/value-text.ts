import {
  type CelResult,
  celType,
  type CelValue,
  isCelError,
  isCelList,
  isCelMap,
  isCelType,
  isCelUint,
  run,
} from "@bufbuild/cel";
import { clip } from "../kit/clip.ts";

/** A value of this depth is shown by an ellipsis. */
const DEPTH = 6;
const ITEMS = 20;

/** Shows a value, as JSON where JSON has it, in at most `length` characters. */
export function valueText(value: CelResult, length: number): string {
  return clip(isCelError(value) ? `error: ${value.message}` : text(value, 0), length);
}

function text(value: CelValue, depth: number): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (isCelUint(value)) return `${value.value}u`;
  if (value === null || typeof value !== "object") return `${value}`;
  if (value instanceof Uint8Array) return `b"${Buffer.from(value).toString("base64")}"`;
  if (isCelList(value)) return depth === DEPTH ? "[…]" : `[${some(value, (item) => text(item, depth + 1))}]`;
  if (isCelMap(value)) {
    if (depth === DEPTH) return "{…}";
    return `{${some(value, ([key, item]) => `${text(key, depth + 1)}: ${text(item, depth + 1)}`)}}`;
  }
  if (isCelType(value)) return value.name;
  // A timestamp or a duration.
  const shown = run("string(value)", { value });
  return typeof shown === "string" ? shown : celType(value).name;
}

function some<Item>(items: Iterable<Item>, show: (item: Item) => string): string {
  const shown: string[] = [];
  for (const item of items) {
    if (shown.length === ITEMS) return `${shown.join(", ")}, …`;
    shown.push(show(item));
  }
  return shown.join(", ");
}
