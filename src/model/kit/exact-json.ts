import type { Json } from "../plan/json.ts";

/** A number of at most this many characters without an exponent has digits that a double always keeps. */
const SAFE_LENGTH = 15;

/** A number that a double may not hold: too many digits, or too large an exponent. */
const SUSPECT = /(?<=^|[:,[\s])-?\d(?:[\d.eE+-]{15}|[\d.]*[eE][+-]?\d{3})/;

/**
 * Parses JSON; a number that a double cannot hold exactly becomes a string of its digits. Checking every number takes
 * ten times as long as parsing, so texts without such numbers skip it.
 */
export function parseExactJson(text: string): unknown {
  return SUSPECT.test(text) ? parseNumberByNumber(text) : JSON.parse(text);
}

function parseNumberByNumber(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, context?: { source?: string }): unknown => {
    if (typeof value !== "number") return value;
    const source = context?.source;
    if (source === undefined || (source.length <= SAFE_LENGTH && !/e/i.test(source))) return value;
    return isExact(source, value) ? value : source;
  });
}

function isExact(source: string, value: number): boolean {
  return Number.isFinite(value) && normalDigits(source) === normalDigits(String(value));
}

/**
 * Normalises a number to its digits without leading and trailing zeros, and a power of ten. 1.50, 15e-1 and 0.15E1 are
 * equal.
 */
function normalDigits(number: string): string {
  const [mantissa = "", exponent = "0"] = number.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = (whole + fraction).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return "0";
  const power = Number(exponent) - fraction.length + (digits.length - significant.length);
  return `${significant}e${power}`;
}

/** A value as `JSON.parse` returns it. */
export function isJson(value: unknown): value is Json {
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return true;
  return typeof value === "object" && Object.values(value).every(isJson);
}
