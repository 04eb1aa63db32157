/** Picks a few values out of a JSON text of any size, in one pass and without building it. */
import { JsonScan, JsonScanError } from "../kit/json-scan.ts";

/** Containers in one another; deeper texts are refused. */
const MAX_DEPTH = 100;
/** The longest value that is picked, with its quotes. */
const MAX_BYTES = 502;
const WHOLE = /^-?\d+$/;

/**
 * Returns the texts and whole numbers at the wanted paths, which are names with dots between them; the first of each counts.
 * `null` if the text is no JSON or is nested too deep. The bytes were authenticated before, so a member that is there twice
 * is no attack.
 */
export function pickJson(bytes: Buffer, wanted: readonly string[]): ReadonlyMap<string, string> | null {
  const found = new Map<string, string>();
  const scan = new JsonScan(bytes, MAX_DEPTH);
  const isOnWay = (path: string): boolean => wanted.some((each) => `${each}.`.startsWith(`${path}.`));

  function read(path: string): void {
    if (scan.kind === "OBJECT") {
      scan.object((name) => {
        const own = path === "" ? name : `${path}.${name}`;
        if (name.includes(".") || !isOnWay(own)) scan.skip();
        else read(own);
      });
      return;
    }
    const { kind } = scan;
    const value = scan.takeShort(MAX_BYTES);
    if (value === null || found.has(path) || !wanted.includes(path)) return;
    if (kind === "TEXT") found.set(path, String(JSON.parse(value)));
    else if (WHOLE.test(value)) found.set(path, value);
  }

  try {
    read("");
    scan.end();
    return found;
  } catch (error) {
    if (error instanceof JsonScanError) return null;
    throw error;
  }
}
