/**
 * A parameter as it is sent: text, or bytes. As `pg` does it: arrays become Postgres' arrays, other objects JSON; an
 * instant is sent in UTC.
 */
export function toWire(value: unknown): string | Buffer | null {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return null;
  if (typeof value === "number" || typeof value === "bigint" || typeof value === "boolean") return String(value);
  if (Buffer.isBuffer(value)) return value;
  if (ArrayBuffer.isView(value)) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value instanceof Date) return value.toISOString();
  return Array.isArray(value) ? arrayText(value) : JSON.stringify(value);
}

function arrayText(items: readonly unknown[]): string {
  return `{${items.map(elementText).join(",")}}`;
}

function elementText(item: unknown): string {
  if (Array.isArray(item)) return arrayText(item);
  const value = toWire(item);
  if (value === null) return "NULL";
  if (typeof value !== "string") return `"\\\\x${value.toString("hex")}"`;
  // Ids and most other words need no care.
  return /["\\]/.test(value) ? `"${value.replace(/["\\]/g, "\\$&")}"` : `"${value}"`;
}
