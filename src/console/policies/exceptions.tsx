import { Link } from "@tanstack/react-router";
import { Suspense } from "react";
import {
  DecidePolicyExceptionDocument,
  OrganizationExceptionsDocument,
  type PolicyExceptionDecision,
  type PolicyExceptionRowFragment,
  PolicySetExceptionsDocument,
  RequestPolicyExceptionDocument,
  RevokePolicyExceptionDocument,
} from "../generated/graphql.ts";
import { useDocument } from "../live/documents.ts";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { ListState } from "../parts/list-state.tsx";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { useTick } from "../parts/use-tick.ts";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { useSession } from "../session/viewer.tsx";
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
            <Suspense fallback="Loading…">
              <ExceptionFields policies={policies} workspaces={workspaces} />
            </Suspense>
          </FormCommand>
        </Commands>
      )}
      <ListState read={read} count={exceptions.length} empty="No exception was requested." />
      <ExceptionTable exceptions={exceptions} canWrite={canWrite} onChange={reload} />
      {page?.pageInfo.hasNextPage === true && <p className="quiet">Only the newest 50 are shown.</p>}
    </section>
  );
}

const isOpen = ({ state }: PolicyExceptionRowFragment): boolean => state === "REQUESTED" || state === "APPROVED";

interface ExceptionTableOf {
  readonly exceptions: readonly PolicyExceptionRowFragment[];
  /** The organization, by its name in addresses, where the table is about several sets. */
  readonly organization?: string;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

function ExceptionTable({ exceptions, organization, canWrite, onChange }: ExceptionTableOf) {
  if (exceptions.length === 0) return null;
  return (
    <Table label="Exceptions" heads={["From", "State", "For", "Reason", "Granted", "Commands"]}>
      {exceptions.map((exception) => (
        <tr key={exception.id}>
          <td>
            <From exception={exception} organization={organization} />
          </td>
          <td>
            <State exception={exception} />
          </td>
          <td>
            <code>{visible(exception.addressGlob)}</code>
            <div className="quiet">{exception.workspaces.map(({ name }) => name).join(", ")}</div>
          </td>
          <td>
            {visible(exception.reason)}
            {exception.ticket != null && <span className="quiet"> {visible(exception.ticket)}</span>}
            <div className="quiet">
              {visible(exception.requestedBy.name)}, <Ago at={exception.requestedAt} />
            </div>
          </td>
          <td>
            <Granted exception={exception} />
          </td>
          <td>
            <ExceptionCommands exception={exception} canWrite={canWrite} onChange={onChange} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function From({
  exception: { policy, rule, policySet },
  organization,
}: {
  exception: PolicyExceptionRowFragment;
  organization: string | undefined;
}) {
  return (
    <>
      <strong>{visible(policy)}</strong>
      {rule !== "*" && rule !== policy && <span> {visible(rule)}</span>}
      {organization !== undefined && policySet != null && (
        <div>
          <Link to="/o/$organization/policies/$set" params={{ organization, set: policySet.id }}>
            {visible(policySet.name)}
          </Link>
        </div>
      )}
    </>
  );
}

const TONES: Readonly<Record<PolicyExceptionRowFragment["state"], Tone>> = {
  REQUESTED: "asks",
  APPROVED: "good",
  REJECTED: "bad",
  REVOKED: "quiet",
  EXPIRED: "quiet",
};

function State({
  exception: { state, expiresAt, revokedBy, revocationComment },
}: {
  exception: PolicyExceptionRowFragment;
}) {
  return (
    <>
      <Mark tone={TONES[state]}>{state === "APPROVED" ? "in force" : wordsOf(state)}</Mark>
      {state !== "REVOKED" && state !== "REJECTED" && (
        <div className="quiet">
          {state === "EXPIRED" ? "ended" : "ends"} <Ago at={expiresAt} />
        </div>
      )}
      {revokedBy != null && (
        <div className="quiet">
          by {visible(revokedBy.name)} {visible(revocationComment ?? "")}
        </div>
      )}
    </>
  );
}

function Granted({
  exception: { state, decidedBy, decidedAt, decisionComment },
}: {
  exception: PolicyExceptionRowFragment;
}) {
  if (decidedBy == null || decidedAt == null) return null;
  return (
    <>
      {state === "REJECTED" && "rejected by "}
      {visible(decidedBy.name)}, <Ago at={decidedAt} />
      {decisionComment != null && <div className="quiet">{visible(decisionComment)}</div>}
    </>
  );
}

interface ExceptionCommandsOf {
  readonly exception: PolicyExceptionRowFragment;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** The decisions about an exception, or why the person cannot decide. */
function ExceptionCommands({ exception, canWrite, onChange }: ExceptionCommandsOf) {
  const { actor } = useSession();
  const isOwn = exception.requestedBy.id === actor.id;
  if (!isOpen(exception)) return null;
  return (
    <>
      <Commands>
        {exception.state === "REQUESTED" && canWrite && !isOwn && (
          <>
            <Decide exception={exception} decision="APPROVE" label="Approve" onChange={onChange} />
            <Decide exception={exception} decision="REJECT" label="Reject" onChange={onChange} />
          </>
        )}
        {(canWrite || isOwn) && (
          <FormCommand
            document={RevokePolicyExceptionDocument}
            label="Withdraw"
            title={`Withdraw the exception from ${visible(exception.policy)}`}
            submit="Withdraw the exception"
            inputOf={(form) => ({ exceptionId: exception.id, comment: textOfField(form, "comment") || null })}
            onDone={onChange}
          >
            <p>It ends at once. Approved runs that it let through are rejected before their apply.</p>
            <TextField name="comment" label="Comment" />
          </FormCommand>
        )}
      </Commands>
      {exception.state === "REQUESTED" && isOwn && <p className="quiet">Another person decides about your request.</p>}
      {!canWrite && !isOwn && <p className="quiet">Those with the permission policy write decide.</p>}
    </>
  );
}

function Decide({
  exception: { id, policy, requestedBy, reason, expiresAt },
  decision,
  label,
  onChange,
}: {
  exception: PolicyExceptionRowFragment;
  decision: PolicyExceptionDecision;
  label: string;
  onChange: () => void;
}) {
  return (
    <FormCommand
      document={DecidePolicyExceptionDocument}
      label={label}
      title={`${label} the exception from ${visible(policy)}`}
      submit={`${label} the exception`}
      inputOf={(form) => ({ exceptionId: id, decision, comment: textOfField(form, "comment") || null })}
      onDone={onChange}
    >
      <p>
        {visible(requestedBy.name)}: {visible(reason)} It would end <Ago at={expiresAt} />.
      </p>
      <TextField name="comment" label="Comment" />
    </FormCommand>
  );
}
