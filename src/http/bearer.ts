/** The secret of an `Authorization: Bearer ...` value; empty where there is none. */
export function bearerSecret(value: unknown): string {
  return typeof value === "string" ? (/^Bearer +([^\s]+) *$/i.exec(value)?.[1] ?? "") : "";
}
