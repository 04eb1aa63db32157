/** Writes one step of a path in a value: a key as it is in a configuration, or in brackets and quotes. */
export function pathStep(key: string, isFirst: boolean): string {
  if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(key)) return `[${JSON.stringify(key)}]`;
  return isFirst ? key : `.${key}`;
}
