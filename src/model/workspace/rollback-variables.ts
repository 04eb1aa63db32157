import type { Variable } from "./workspace.ts";

/**
 * The variables of a rollback. What configures the engine comes back as it was; credentials are those of now, since the
 * ones of then may have been replaced or revoked: sensitive values and the whole environment. A variable that was
 * sensitive on either side counts as sensitive.
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
