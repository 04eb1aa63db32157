/** The commands that create a run of kind DEPLOY from an earlier run: promotion and rollback. */
import type { FollowUpInput } from "../../domain/run/follow-up-input.ts";
import { createdRunSuccess } from "../kit/success.ts";
import type { InputFields } from "../kit/builder.ts";
import { idempotencyKeyInput } from "../kit/idempotency-key.ts";
import { mutation } from "../kit/mutation.ts";
import { MetadataEntryInputRef } from "../kit/metadata.ts";

type Given = { [Key in keyof Omit<FollowUpInput, "runId">]?: FollowUpInput[Key] | undefined } & { runId: string };

function toInput({ runId, message, metadata, priority, idempotencyKey }: Given): FollowUpInput {
  return {
    runId,
    message: message ?? null,
    metadata: metadata ?? null,
    priority: priority ?? null,
    idempotencyKey: idempotencyKey ?? null,
  };
}

/** Builds the input of a promotion or rollback. `absent` describes the default of its optional fields. */
function inputOf(description: string, run: string, absent: string) {
  return {
    description,
    fields: (t: InputFields) => ({
      runId: t.id({ required: true, description: run }),
      message: t.string({ description: `The reason for the run, for its approvers. The default is ${absent}.` }),
      metadata: t.field({
        type: [MetadataEntryInputRef],
        description: `The metadata of the run. The default is ${absent}; [] means none.`,
      }),
      priority: t.int({ description: `The priority, from -100 to 100; higher goes first. The default is ${absent}.` }),
      idempotencyKey: idempotencyKeyInput(t),
    }),
  };
}

const SUCCESS = createdRunSuccess("The new run was created; its `origin` is the earlier run.", "The new run.");

mutation("promoteRun", {
  description:
    "Creates a run of kind DEPLOY from the source and targets of a finished PLAN run, with the variables as they are now. The run makes a plan of its own and needs the usual approvals.",
  argument: "The run to promote.",
  input: inputOf("The plan to deploy.", "The run of kind PLAN. Its status must be FINISHED.", "that of the PLAN run"),
  success: SUCCESS,
  run: ({ promoteRun }, caller, { input }) => promoteRun(caller, toInput(input)),
});

mutation("rollbackRun", {
  description:
    "Creates a run of kind DEPLOY from the source and variables of an earlier applied run, for the whole configuration. Sensitive and environment variables are those of now. The run makes a plan of its own and needs the usual approvals. The next run takes the current source and variables again and undoes the rollback: correct those as well.",
  argument: "The run to go back to.",
  input: inputOf(
    "The earlier run to go back to.",
    "The run to go back to. Its outcome must be APPLIED, and it must not be `refreshOnly`.",
    "none, or 0",
  ),
  success: SUCCESS,
  run: ({ rollbackRun }, caller, { input }) => rollbackRun(caller, toInput(input)),
});
