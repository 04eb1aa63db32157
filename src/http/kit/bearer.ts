/** Gives the secret of a Bearer value, or the password of an `Authorization: Basic ...` value with any user name. */
export function basicSecret(value: unknown): string {
  const encoded = typeof value === "string" ? /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(value)?.[1] : undefined;
  if (encoded === undefined) return bearerSecret(value);
  return /^[^:]*:(.+)$/s.exec(Buffer.from(encoded, "base64").toString())?.[1] ?? "";
}

/** Gives the secret of an `Authorization: Bearer ...` value; empty if there is none. */
export function bearerSecret(value: unknown): string {
  return typeof value === "string" ? (/^Bearer +([^\s]+) *$/i.exec(value)?.[1] ?? "") : "";
}
