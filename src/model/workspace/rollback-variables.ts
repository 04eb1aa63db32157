import type { Variable } from "./workspace.ts";

/**
 * Returns the variables of a rollback. Engine variables are restored. Sensitive values and the environment are the
 * current ones, because old credentials may have been replaced or revoked. A variable that was sensitive on either side
 * stays sensitive.
 */
export function rollbackVariables(then: readonly Variable[], now: readonly Variable[]): Variable[] {
  const credentials = new Set([...then, ...now].filter(isCredential).map(nameOf));
  const isOfNow = (variable: Variable): boolean => credentials.has(nameOf(variable));
  return [...then.filter((variable) => !isOfNow(variable)), ...now.filter(isOfNow)];
}

function isCredential({ category, sensitive }: Variable): boolean {
  return sensitive || category === "ENVIRONMENT";
}

function nameOf({ category, key }: Variable): string {
  return `${category} ${key}`;
}
