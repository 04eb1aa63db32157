import { useParams } from "@tanstack/react-router";
import { PageTitle } from "../inbox/page-title.tsx";
import { visible } from "../parts/visible.ts";
import { type Session, useSession } from "../session/viewer.tsx";

type KnownOrganization = Session["organizations"][number];

/** A page of the organization of the address, with its title. */
export function OrganizationPage({
  title,
  children,
}: {
  title: string;
  children: (organization: KnownOrganization) => React.ReactNode;
}) {
  const { organization: slug } = useParams({ strict: false });
  const organization = useSession().organizations.find((known) => known.slug === slug);
  if (organization === undefined) return <p>There is no organization {slug} that you may see.</p>;
  const name = visible(organization.name);
  return (
    <>
      <PageTitle>{`${title} - ${name}`}</PageTitle>
      <h1>
        {title} of {name}
      </h1>
      {children(organization)}
    </>
  );
}
