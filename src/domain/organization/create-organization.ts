import type { RulesInput } from "../rules/rules-input.ts";
import type { RetentionChange } from "../../model/workspace/retention.ts";
import { INSTALLATION } from "../../model/people/place.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { EMPTY_RULES } from "../../model/approval/run-rules.ts";
import { changedRetention, DEFAULT_RETENTION } from "../../model/workspace/retention.ts";
import { UserError } from "../../model/kit/user-error.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { violates } from "../../persistence/database/database.ts";
import { insertOrganization } from "../../persistence/organization/organization-store.ts";
import type { Deps } from "../kit/deps.ts";
import { commandInSteps, ON_INSTALLATION } from "../access/command.ts";
import { checkApprovers } from "../rules/check-approvers.ts";
import { checkRules, rulesAfter } from "../rules/rules-input.ts";
import { checkConcurrencyLimit, checkMaxRunsPerPush, checkOrganizationName, checkSlug } from "./organization-input.ts";
import { checkRetention } from "./retention-input.ts";

export interface CreateOrganizationInput extends RulesInput {
  slug: string;
  name: string;
  concurrencyLimit: number;
  /** 200 by default. */
  maxRunsPerPush?: number | undefined;
  retention?: RetentionChange | null | undefined;
}

const DEFAULT_MAX_RUNS_PER_PUSH = 200;

/** Creates an organization. Slugs are unique, and never change. */
export function createOrganization(
  deps: Deps,
  caller: ActorCaller,
  input: CreateOrganizationInput,
): Promise<Organization> {
  const spec = {
    ...ON_INSTALLATION,
    name: "createOrganization",
    subjectId: input.slug,
    permission: "ORGANIZATION_UPDATE",
    words: "creating organizations",
  } as const;
  return commandInSteps(deps, caller, spec, async (_installation, check) => {
    checkSlug(check, input.slug);
    checkOrganizationName(check, input.name);
    checkConcurrencyLimit(check, input.concurrencyLimit);
    const maxRunsPerPush = input.maxRunsPerPush ?? DEFAULT_MAX_RUNS_PER_PUSH;
    checkMaxRunsPerPush(check, maxRunsPerPush);
    checkRetention(check, input.retention);
    checkRules(check, input, deps.clock());
    const context = { caller, before: [], others: [], planAlways: false, place: INSTALLATION };
    await checkApprovers(deps.database, deps, check, input.approvalRules, context);
    check.done();
    const { slug, name, concurrencyLimit } = input;
    const organization = {
      id: deps.newId("organization"),
      slug,
      name,
      concurrencyLimit,
      maxRunsPerPush,
      retention: changedRetention(DEFAULT_RETENTION, input.retention ?? {}),
      rules: rulesAfter(EMPTY_RULES, input),
    };
    const createdAt = deps.clock().toISOString();
    try {
      await deps.database.transaction((tx) => insertOrganization(tx, { ...organization, createdAt }));
    } catch (error) {
      if (!violates(error, "organization_slug_key")) throw error;
      throw new UserError("NAME_TAKEN", `The slug "${slug}" is taken by another organization. Choose another one.`);
    }
    return organization;
  });
}
