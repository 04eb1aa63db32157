/** Changes of plans where a test needs no others. */
import type { ResourceChange } from "../../src/model/plan/plan.ts";

/** A change as it is if nothing is known of it but its values. */
export const NO_FACTS = {
  replacePaths: [],
  dependsOn: [],
  reason: null,
  provider: null,
  index: null,
  deposed: null,
  importId: null,
} satisfies Partial<ResourceChange>;

/** A resource that a plan creates. */
export function createdResource(name: string, more: Partial<ResourceChange> = {}): ResourceChange {
  return {
    address: `terraform_data.${name}`,
    type: "terraform_data",
    name,
    module: null,
    action: "CREATE",
    createBeforeDestroy: null,
    previousAddress: null,
    imported: false,
    before: null,
    after: { input: "x" },
    sensitivePaths: [],
    unknownPaths: ["id"],
    ...NO_FACTS,
    provider: "terraform.io/builtin/terraform",
    ...more,
  };
}
