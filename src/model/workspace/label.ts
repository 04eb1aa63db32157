/** Labels of workspaces: `key`, or `key:value`. Lists, bulk operations and schedules select workspaces by them. */

const PART = "[A-Za-z0-9][A-Za-z0-9._/-]{0,62}";
const LABEL = new RegExp(`^${PART}(?::${PART})?$`);

/** Continues a sentence that begins with the name of the field. */
export const LABEL_WORDS =
  'must be "key" or "key:value", both with 1 to 63 letters, digits, dots, underscores, slashes and hyphens, beginning with a letter or a digit';

export function isLabel(text: string): boolean {
  return LABEL.test(text);
}

function keyOf(label: string): string {
  return label.split(":", 1)[0] ?? label;
}

/** Returns the first label whose key an earlier one has; `null` if each key occurs once. */
export function repeatedKey(labels: readonly string[]): { key: string; index: number } | null {
  const keys = labels.map(keyOf);
  const index = keys.findIndex((key, at) => keys.indexOf(key) < at);
  const key = keys[index];
  return key === undefined ? null : { key, index };
}

/** Whether a selector selects workspaces with these labels: `key` matches `key:value` too. */
export function selects(selector: string, labels: readonly string[]): boolean {
  return labels.some((label) => label === selector || keyOf(label) === selector);
}
