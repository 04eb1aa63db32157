/** The same also of `Authorization: Basic ...`, where it is the password; who it is the password of does not matter. */
export function basicSecret(value: unknown): string {
  const encoded = typeof value === "string" ? /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(value)?.[1] : undefined;
  if (encoded === undefined) return bearerSecret(value);
  return /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, "base64").toString())?.[1] ?? "";
}

/** The secret of an `Authorization: Bearer ...` value; empty where there is none. */
export function bearerSecret(value: unknown): string {
  return typeof value === "string" ? (/^Bearer +([^\s]+) *$/i.exec(value)?.[1] ?? "") : "";
}
