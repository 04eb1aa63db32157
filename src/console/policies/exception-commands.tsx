import {
  DecidePolicyExceptionDocument,
  type PolicyExceptionDecision,
  type PolicyExceptionRowFragment,
  RevokePolicyExceptionDocument,
} from "../generated/graphql.ts";
import { Commands } from "../parts/commands.tsx";
import { textOfField } from "../parts/field.ts";
import { FormCommand } from "../parts/form-command.tsx";
import { TextField } from "../parts/text-field.tsx";
import { Ago } from "../parts/time.tsx";
import { visible } from "../parts/visible.ts";
import { useSession } from "../session/viewer.tsx";

/** Whether an exception is requested or in force. */
export const isOpen = ({ state }: PolicyExceptionRowFragment): boolean => state === "REQUESTED" || state === "APPROVED";

interface ExceptionCommandsOf {
  readonly exception: PolicyExceptionRowFragment;
  readonly canWrite: boolean;
  readonly onChange: () => void;
}

/** The decisions about an exception, or why the person cannot decide. */
export function ExceptionCommands({ exception, canWrite, onChange }: ExceptionCommandsOf) {
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
