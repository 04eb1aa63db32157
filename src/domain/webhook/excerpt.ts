const MASK = "***";
/** Everything but line feed and tab: Postgres stores no U+0000, and nobody reads the others. */
const CONTROL = /(?![\n\t])\p{Cc}/gu;

/** The beginning of an answer, as it may be kept: what the target repeats of what it must not is masked. */
export function excerpt(text: string, secrets: readonly string[], length: number): string {
  let masked = text;
  for (const secret of secrets) {
    for (const form of [secret, secret.replace(/^whsec_/, "")]) masked = masked.replaceAll(form, MASK);
  }
  return masked.replace(CONTROL, "").slice(0, length).toWellFormed();
}
