import { idempotencyKeyInput } from "../kit/idempotency-key.ts";
import { createdRunSuccess } from "../kit/success.ts";
import { mutation } from "../kit/mutation.ts";
import { MetadataEntryInputRef } from "../kit/metadata.ts";
import { RunKindEnum } from "./run-enums.ts";

mutation("createRun", {
  description: "Creates a run. It starts as soon as nothing blocks it.",
  argument: "The run.",
  input: {
    description:
      "The run to create. It gets the source and the variables as they are now; a run of kind APPLY gets those of its PLAN run.",
    fields: (t) => ({
      workspaceId: t.id({ required: true, description: "The workspace to run in." }),
      kind: t.field({ type: RunKindEnum, required: true, defaultValue: "DEPLOY", description: "The kind of the run." }),
      message: t.string({ description: "The reason for the run, for its approvers." }),
      targets: t.stringList({
        description:
          "Limits the run to these resources, instances or modules and what they depend on; kinds DEPLOY, DESTROY and PLAN. The run fails with TARGET_NOT_FOUND if one of them matches nothing.",
      }),
      replace: t.stringList({
        description:
          "The addresses of resource instances to replace even if they are unchanged; kinds DEPLOY and PLAN, not with `refreshOnly`. The run fails with TARGET_NOT_FOUND if one of them matches nothing.",
      }),
      refreshOnly: t.boolean({
        description:
          "Whether the run only updates the state with changes made outside; kinds DEPLOY and PLAN. The default is false.",
      }),
      command: t.string({
        description:
          "The shell command of a run of kind TASK. Its approvers see it, and the workspace must have `tasksAllowed`.",
      }),
      planRunId: t.id({ description: "The finished PLAN run whose plan a run of kind APPLY applies." }),
      metadata: t.field({
        type: [MetadataEntryInputRef],
        description: "The metadata of the run: at most 50 entries, each key once.",
      }),
      priority: t.int({
        description: "The priority, from -100 to 100; higher goes first among the runs of its class. The default is 0.",
      }),
      scheduledAt: t.field({
        type: "DateTime",
        description: "The earliest start, which must be in the future. If absent, the run starts as soon as possible.",
      }),
      idempotencyKey: idempotencyKeyInput(t),
    }),
  },
  success: createdRunSuccess("The run exists.", "The run."),
  run: ({ createRun }, caller, { input }) =>
    createRun(caller, {
      workspaceId: input.workspaceId,
      kind: input.kind,
      message: input.message ?? null,
      targets: input.targets ?? null,
      replace: input.replace ?? null,
      refreshOnly: input.refreshOnly ?? false,
      planRunId: input.planRunId ?? null,
      command: input.command ?? null,
      metadata: input.metadata ?? null,
      priority: input.priority ?? 0,
      scheduledAt: input.scheduledAt ?? null,
      idempotencyKey: input.idempotencyKey ?? null,
    }),
});
