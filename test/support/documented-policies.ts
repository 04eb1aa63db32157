import { readFileSync } from "node:fs";

/** A rule as docs/policies.md has it: fields of `PolicyRuleInput`. */
export interface DocumentedPolicy {
  name: string;
  level: "ADVISORY" | "SOFT_MANDATORY" | "MANDATORY";
  when: string;
  message: string;
  types?: string[];
  actions?: string[];
  each?: "RESOURCE" | "PLAN";
  point?: "PLAN" | "PRE_APPLY";
  remediation?: string;
}

/** Reads the ten policies that docs/policies.md has to copy. */
export function readDocumentedPolicies(): DocumentedPolicy[] {
  const page = readFileSync(new URL("../../docs/policies.md", import.meta.url), "utf8");
  const section = /## Ten policies to copy\n(.*?)\n## /s.exec(page)?.[1] ?? "";
  return [...section.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]): DocumentedPolicy => JSON.parse(text));
}
