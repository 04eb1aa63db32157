/** Parses JSON; a number that a double cannot hold exactly becomes a string of its digits. */
export function parseLosslessly(text: string): unknown {
  return JSON.parse(text, (_key: string, value: unknown, context?: { source?: string }) => {
    if (typeof value !== "number" || context?.source === undefined) return value;
    return isExact(value, context.source) ? value : context.source;
  });
}

/** Whether the double prints as what was written, apart from the way of writing it. */
function isExact(value: number, source: string): boolean {
  if (Number.isSafeInteger(value) || String(value) === source) return true;
  return Number.isFinite(value) && digits(String(value)) === digits(source);
}

/** The significant digits, without sign, point, exponent and outer zeros. */
function digits(text: string): string {
  return text
    .replace(/e.*$/i, "")
    .replace(/[^0-9]/g, "")
    .replace(/^0+|0+$/g, "");
}
