import { Link, useParams, useSearch } from "@tanstack/react-router";
import { PolicySetDocument, UpdatePolicySetDocument } from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { OrganizationPage } from "../organization/organization-page.tsx";
import { Commands } from "../parts/commands.tsx";
import { Fact, Facts } from "../parts/facts.tsx";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Ago } from "../parts/time.tsx";
import { SwitchCommand } from "../parts/switch-command.tsx";
import { visible } from "../parts/visible.ts";
import { wordsOf } from "../parts/words.ts";
import { PolicyVersion } from "./policy-version.tsx";
import { selectorOf } from "./selector.ts";
import type { ShownSet } from "./shown-set.ts";
import { Simulation } from "./simulation.tsx";
import { SetExceptions } from "./exceptions.tsx";
import { useTick } from "../parts/use-tick.ts";
import { Versions } from "./versions.tsx";

/** A policy set: what it judges, its versions with their source and results, and a try on plans that are there. */
export function PolicySetPage() {
  return (
    <OrganizationPage title="Policy set">
      {({ id, slug }) => <PolicySetView organizationId={id} organization={slug} />}
    </OrganizationPage>
  );
}

function PolicySetView({ organizationId, organization }: { organizationId: string; organization: string }) {
  const { set: id } = useParams({ from: "/shell/o/$organization/policies/$set" });
  const { version, simulation } = useSearch({ from: "/shell/o/$organization/policies/$set" });
  const [read, onChange] = useDocument(PolicySetDocument, { id, organization });
  useTick(onChange);
  const set = read.data?.node;
  if (set == null || set.__typename !== "PolicySet") {
    return <ListState read={read} count={0} empty="There is no such policy set that you may see." />;
  }
  const canWrite = read.data?.organization?.viewerPermissions.includes("POLICY_WRITE") === true;
  const versions = set.versions.edges.map(({ node }) => node);
  const shown = version ?? set.activeVersion?.id ?? versions[0]?.id;
  return (
    <>
      <SetFacts set={set} organization={organization} />
      {canWrite && <SetCommands set={set} onChange={onChange} />}
      <Versions set={set} organization={organization} shown={shown} canWrite={canWrite} onChange={onChange} />
      {shown !== undefined && <PolicyVersion key={shown} id={shown} />}
      <SetExceptions set={set} canWrite={canWrite} />
      {canWrite && shown !== undefined && (
        <Simulation
          organization={organization}
          organizationId={organizationId}
          set={set}
          versionId={shown}
          simulationId={simulation}
        />
      )}
    </>
  );
}

function SetFacts({ set, organization }: { set: ShownSet; organization: string }) {
  const { overriders } = set;
  const people = [...overriders.approvers, ...overriders.teams].map(({ name }) => visible(name));
  return (
    <Facts>
      <Fact name="Name">
        <strong>{visible(set.name)}</strong>
      </Fact>
      {set.description != null && <Fact name="Purpose">{visible(set.description)}</Fact>}
      <Fact name="State">{set.enabled ? <Mark tone="good">on</Mark> : <Mark tone="quiet">off</Mark>}</Fact>
      <Fact name="Language">
        {set.language} {set.dialect !== "HOLDPOINT" && `for ${wordsOf(set.dialect)}`}
      </Fact>
      <Fact name="Judges">
        {selectorOf(set)}
        {set.judgesUnchanged && ", plans without changes too"}
      </Fact>
      <Fact name="On errors">{wordsOf(set.onError)}</Fact>
      <Fact name="May override">
        {people.length === 0 ? "those who may approve" : `${overriders.minimum} of ${people.join(", ")}`}
      </Fact>
      <Fact name="Made">
        <Ago at={set.createdAt} />
      </Fact>
      <Fact name="Workspaces">
        {set.workspaces.edges.length === 0 && "none that you may see"}
        {set.workspaces.edges.map(({ node }, at) => (
          <span key={node.id}>
            {at > 0 && ", "}
            <Link to="/o/$organization/w/$workspace" params={{ organization, workspace: node.name }}>
              {node.name}
            </Link>
          </span>
        ))}
        {set.workspaces.pageInfo.hasNextPage && " and more"}
      </Fact>
    </Facts>
  );
}

function SetCommands({ set, onChange }: { set: ShownSet; onChange: () => void }) {
  return (
    <Commands>
      <SwitchCommand
        document={UpdatePolicySetDocument}
        enabled={set.enabled}
        inputOf={(enabled) => ({ policySetId: set.id, enabled })}
        what={`the policy set ${visible(set.name)}`}
        text="It judges no plan until it is switched on."
        onDone={onChange}
      />
    </Commands>
  );
}
