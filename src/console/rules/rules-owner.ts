/** The owners of approval rules and freeze windows: workspaces and organizations. */
import {
  type ApprovalRuleInput,
  type ApprovalRuleItemFragment,
  type FreezeWindowInput,
  type FreezeWindowItemFragment,
  OrganizationRulesDocument,
  UpdateOrganizationDocument,
  UpdateWorkspaceDocument,
  WorkspaceRulesNowDocument,
} from "../generated/graphql.ts";
import type { DocumentText } from "../live/documents.ts";
import { client } from "../live/link.ts";

/** The lists of rules as the API returns them. */
export interface ShownRules {
  readonly settingsDigest: string;
  readonly approvalRules: readonly ApprovalRuleItemFragment[];
  readonly freezeWindows: readonly FreezeWindowItemFragment[];
}

/** The lists of rules as the API takes them. An absent one is not changed. */
interface RulesInput {
  settingsDigest: string;
  approvalRules?: ApprovalRuleInput[];
  freezeWindows?: FreezeWindowInput[];
}

/** A workspace or an organization, and how its rules are set. */
export interface RulesOwner<TResult extends object, TInput extends object> {
  readonly name: string;
  /** The organization, by its name in addresses: its people and teams can be named. */
  readonly organization: string;
  readonly document: DocumentText<TResult, { input: TInput }>;
  readonly inputOf: (lists: RulesInput) => TInput;
  /** Reads the lists as they are now; `null` if they cannot be seen. */
  readonly read: () => Promise<ShownRules | null>;
  readonly onDone: () => void;
}

/** Describes how the rules of a workspace are set. */
export function workspaceRules(workspace: { id: string; name: string }, organization: string, onDone: () => void) {
  const { id, name } = workspace;
  return {
    name,
    organization,
    document: UpdateWorkspaceDocument,
    inputOf: (lists: RulesInput) => ({ workspaceId: id, ...lists }),
    read: async () => (await client.request(WorkspaceRulesNowDocument, { id })).workspace ?? null,
    onDone,
  };
}

/** Describes how the rules of an organization are set. */
export function organizationRules(found: { id: string; name: string; slug: string }, onDone: () => void) {
  const { id, name, slug } = found;
  return {
    name,
    organization: slug,
    document: UpdateOrganizationDocument,
    inputOf: (lists: RulesInput) => ({ organizationId: id, ...lists }),
    read: async () => (await client.request(OrganizationRulesDocument, { organization: slug })).organization ?? null,
    onDone,
  };
}
