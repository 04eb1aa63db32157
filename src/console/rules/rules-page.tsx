import { OrganizationRulesDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { ListState } from "../parts/list-state.tsx";
import { useTick } from "../parts/use-tick.ts";
import { ApprovalRules } from "./approval-rules.tsx";
import { FreezeWindows } from "./freeze-windows.tsx";
import { organizationRules } from "./rules-owner.ts";

/** The approval rules and freeze windows of all workspaces of an organization. */
export function RulesPage() {
  return <OrganizationPage title="Rules">{({ slug }) => <RulesView slug={slug} />}</OrganizationPage>;
}

function RulesView({ slug }: { slug: string }) {
  const [read, reload] = useDocument(OrganizationRulesDocument, { organization: slug });
  // No event reports a change of an organization.
  useTick(reload);
  const organization = read.data?.organization;
  if (organization == null) return <ListState read={read} count={0} empty="You may not see the rules." />;
  const { approvalRules, freezeWindows } = organization;
  const canWrite = organization.viewerPermissions.includes("ORGANIZATION_UPDATE");
  const owner = canWrite ? organizationRules(organization, reload) : null;
  return (
    <>
      <p>They hold for all workspaces. A workspace has its own beside them.</p>
      <section className="panel" aria-label="Approval rules">
        <h2>Approval rules</h2>
        <ListState read={read} count={approvalRules.length} empty="There are none: workspaces decide by their own." />
        <ApprovalRules rules={approvalRules} owner={owner} />
      </section>
      <section className="panel" aria-label="Freeze windows">
        <h2>Freeze windows</h2>
        <ListState read={read} count={freezeWindows.length} empty="There are none: applies are held at no time." />
        <FreezeWindows windows={freezeWindows} owner={owner} />
      </section>
      {!canWrite && <p className="quiet">They are changed by those with the permission organization update.</p>}
    </>
  );
}
