import { Link } from "@tanstack/react-router";
import type { PolicyExceptionRowFragment } from "../generated/graphql.ts";
import { Mark } from "../parts/mark.tsx";
import { Table } from "../parts/table.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { type Tone, wordsOf } from "../parts/words.ts";
import { ExceptionCommands } from "./exception-commands.tsx";

interface ExceptionTableOf {
  readonly exceptions: readonly PolicyExceptionRowFragment[];
  /** The organization, by its name in addresses, where the table is about several sets. */
  readonly organization?: string;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** A table of exceptions, with the decisions about each. */
export function ExceptionTable({ exceptions, organization, canWrite, onChange }: ExceptionTableOf) {
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
