import { useState } from "react";
import {
  DeleteExternalCheckDocument,
  type ExternalCheckRowFragment,
  TestExternalCheckDocument,
  type TestExternalCheckMutation,
  UpdateExternalCheckDocument,
} from "../generated/graphql.ts";
import { useIsLive } from "../live/freshness.tsx";
import { Command } from "../parts/command.tsx";
import { Commands } from "../parts/commands.tsx";
import { FormCommand } from "../parts/form-command.tsx";
import { lazyPart } from "../parts/lazy-part.ts";
import { Mark } from "../parts/mark.tsx";
import { Refusal } from "../parts/refusal.tsx";
import { useSending } from "../parts/sending.ts";
import { SwitchCommand } from "../parts/switch-command.tsx";
import { visible } from "../parts/visible.ts";
import { readChanges } from "./check-input.ts";

const CheckFields = lazyPart(() => import("./check-fields.tsx"), "CheckFields");

interface CheckCommandsOf {
  readonly check: ExternalCheckRowFragment;
  readonly organization: string;
  readonly onChange: () => void;
}

/** The commands about one external check. */
export function CheckCommands({ check, organization, onChange }: CheckCommandsOf) {
  const { id: checkId, enabled } = check;
  const name = visible(check.name);
  return (
    <Commands>
      <TestCheck checkId={checkId} />
      <FormCommand
        document={UpdateExternalCheckDocument}
        label="Change"
        title={`Change the external check ${name}`}
        submit="Change the external check"
        inputOf={(form) => ({ checkId, ...readChanges(form, check) })}
        onDone={onChange}
        ifDeleted={`${name} was deleted meanwhile, or you may no longer see it.`}
      >
        <CheckFields organization={organization} check={check} />
      </FormCommand>
      <SwitchCommand
        document={UpdateExternalCheckDocument}
        enabled={enabled}
        inputOf={(on) => ({ checkId, enabled: on })}
        what={`the external check ${name}`}
        text="It is asked no more, and runs that wait for it continue without its result."
        onDone={onChange}
      />
      <Command
        document={DeleteExternalCheckDocument}
        input={{ checkId }}
        label="Delete"
        question={{
          title: `Delete the external check ${name}`,
          text: "It is asked no more, and runs that wait for it continue without its result. Its results stay.",
        }}
        onDone={onChange}
      />
    </Commands>
  );
}

type Answer = Extract<TestExternalCheckMutation["testExternalCheck"], { __typename: "TestExternalCheckSuccess" }>;

/** A button that sends a test to the service, and its answer. */
function TestCheck({ checkId }: { checkId: string }) {
  const isLive = useIsLive();
  const { state, refused, send } = useSending(TestExternalCheckDocument);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const submit = async (): Promise<void> => {
    setAnswer(null);
    setAnswer(await send({ checkId }));
  };
  return (
    <>
      <button type="button" disabled={!isLive || state === "SENDING"} onClick={() => void submit()}>
        {state === "SENDING" ? "Sending…" : "Send a test"}
      </button>
      <output>
        {answer !== null && (
          <Mark tone={answer.ok ? "good" : "bad"}>{answer.ok ? "it answers" : resultOf(answer)}</Mark>
        )}
      </output>
      <Refusal refused={refused} />
    </>
  );
}

const resultOf = ({ problem, statusCode }: Answer): string =>
  visible(problem ?? (statusCode == null ? "no answer" : `HTTP ${statusCode}`));
