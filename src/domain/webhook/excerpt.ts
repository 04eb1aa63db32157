const MASK = "***";
/** Control characters except line feed and tab; Postgres cannot store U+0000. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/** Returns the beginning of a response for storage, with secrets masked. */
export function excerpt(text: string, secrets: readonly string[], length: number): string {
  let masked = text;
  for (const secret of secrets) {
    for (const form of [secret, secret.replace(/^whsec_/, "")]) masked = masked.replaceAll(form, MASK);
  }
  return masked.replace(CONTROL, "").slice(0, length).toWellFormed();
}
