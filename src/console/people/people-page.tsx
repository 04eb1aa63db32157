import { PeopleDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Grants } from "./grants.tsx";
import { Invitations } from "./invitations.tsx";
import { Members } from "./members.tsx";
import { Projects } from "./projects.tsx";
import { Roles } from "./roles.tsx";
import { ServiceAccounts } from "./service-accounts.tsx";
import { useTick } from "../parts/use-tick.ts";
import { Teams } from "./teams.tsx";

/** The people of an organization: members, invitations, teams, grants, projects, service accounts and roles. */
export function PeoplePage() {
  return (
    <OrganizationPage title="People">
      {({ id, slug }) => <PeopleView organizationId={id} slug={slug} />}
    </OrganizationPage>
  );
}

function PeopleView({ organizationId, slug }: { organizationId: string; slug: string }) {
  const [read, onChange] = useDocument(PeopleDocument, { organization: slug, organizationId });
  useTick(onChange);
  const organization = read.data?.organization;
  const mayRead = organization?.viewerPermissions.includes("MEMBER_READ") === true;
  return (
    <>
      <ListState
        read={read}
        count={mayRead ? 1 : 0}
        empty="People are shown to those with the permission member read."
      />
      {organization != null && mayRead && (
        <>
          <Members organization={organization} onChange={onChange} />
          <Invitations organization={organization} onChange={onChange} />
          <Teams organization={organization} onChange={onChange} />
          <Grants
            organization={organization}
            slug={slug}
            grants={read.data?.grants.edges.map(({ node }) => node) ?? []}
            isCut={read.data?.grants.pageInfo.hasNextPage === true}
            onChange={onChange}
          />
          <Projects organization={organization} onChange={onChange} />
          <ServiceAccounts organization={organization} onChange={onChange} />
          <Roles organization={organization} onChange={onChange} />
        </>
      )}
    </>
  );
}
