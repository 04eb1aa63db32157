/** A role that a principal has within a scope. */
export interface RoleGrant {
  id: string;
  /** `null`: it holds on the installation. */
  organizationId: string | null;
  /** A person, a machine user or a team. */
  principalId: string;
  roleId: string;
  /** An organization, a project or a workspace; `null`: the installation. */
  scopeId: string | null;
  reason: string | null;
  grantedById: string;
  createdAt: string;
  expiresAt: string | null;
}
