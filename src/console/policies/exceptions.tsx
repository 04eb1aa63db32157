import {
  OrganizationExceptionsDocument,
  PolicySetExceptionsDocument,
  RequestPolicyExceptionDocument,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Commands } from "../parts/commands.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { ListState } from "../parts/list-state.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { isOpen } from "./exception-commands.tsx";
import { ExceptionTable } from "./exception-table.tsx";
import { readException } from "./read-exception.ts";
import type { ShownSet } from "./shown-set.ts";

const ExceptionFields = lazyPart(() => import("./exception-fields.tsx"), "ExceptionFields");

/** The exceptions of all policy sets of an organization that are requested or in force. */
export function OpenExceptions({ organization }: { organization: string }) {
  const [read, reload] = useDocument(OrganizationExceptionsDocument, { organization });
  useTick(reload);
  const found = read.data?.organization;
  const exceptions =
    found?.policySets.edges.flatMap(({ node }) => node.exceptions.edges.map((edge) => edge.node)).filter(isOpen) ?? [];
  const canWrite = found?.viewerPermissions.includes("POLICY_WRITE") === true;
  return (
    <section className="panel" aria-label="Exceptions">
      <h2>Exceptions</h2>
      <ListState read={read} count={exceptions.length} empty="No exception is requested or in force." />
      <ExceptionTable
        exceptions={exceptions.toSorted((a, b) => a.expiresAt.localeCompare(b.expiresAt))}
        organization={organization}
        canWrite={canWrite}
        onChange={reload}
      />
    </section>
  );
}

/** The exceptions of a policy set, newest first, and a request for another one. */
export function SetExceptions({ set, canWrite }: { set: ShownSet; canWrite: boolean }) {
  const [read, reload] = useDocument(PolicySetExceptionsDocument, { id: set.id });
  useTick(reload);
  const page = read.data?.node?.__typename === "PolicySet" ? read.data.node.exceptions : undefined;
  const exceptions = page?.edges.map(({ node }) => node) ?? [];
  const workspaces = set.workspaces.edges.map(({ node }) => node);
  const policies = set.activeVersion?.policies.map(({ name }) => name) ?? [];
  return (
    <section className="panel" aria-label="Exceptions">
      <h2>Exceptions</h2>
      {policies.length > 0 && workspaces.length > 0 && (
        <Commands>
          <FormCommand
            document={RequestPolicyExceptionDocument}
            label="Request an exception"
            title={`Request an exception from ${visible(set.name)}`}
            submit="Request the exception"
            inputOf={(form) => readException(form, set.id)}
            onDone={reload}
          >
            <ExceptionFields policies={policies} workspaces={workspaces} />
          </FormCommand>
        </Commands>
      )}
      <ListState read={read} count={exceptions.length} empty="No exception was requested." />
      <ExceptionTable exceptions={exceptions} canWrite={canWrite} onChange={reload} />
      {page?.pageInfo.hasNextPage === true && <p className="quiet">Only the newest 50 are shown.</p>}
    </section>
  );
}
