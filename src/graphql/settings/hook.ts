import { loaderOf } from "../kit/loader.ts";
import { HOOK_STAGES, type Hook, type HookPurpose, type HookStage } from "../../model/workspace/hook.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { RunRef, WorkspaceRef } from "../kit/refs.ts";

const hooksLoader = loaderOf((domain, caller, ids) => domain.hooksOfRuns(caller, ids));

const HookStageEnum = describedEnum<HookStage>(
  "HookStage",
  "The time at which a hook is executed. Every leg of a run initialises the engine, including an apply.",
  {
    BEFORE_INIT: "Before the engine initialises. If the hook fails, the run fails.",
    AFTER_INIT: "After the engine has initialised. If the hook fails, the run fails.",
    BEFORE_PLAN: "Before the plan is made. If the hook fails, the run fails.",
    AFTER_PLAN: "After the plan was made, before it is shown. If the hook fails, the run fails.",
    BEFORE_APPLY: "Before the plan is applied. If the hook fails, the run fails and nothing is applied.",
    AFTER_APPLY:
      "After a successful apply. If a hook without a purpose fails, the log has a warning and the run still succeeds.",
    BEFORE_DESTROY: "Before everything is destroyed. If the hook fails, the run fails and nothing is destroyed.",
    AFTER_DESTROY:
      "After everything was destroyed. If a hook without a purpose fails, the log has a warning and the run still succeeds.",
  },
);

const HookPurposeEnum = describedEnum<HookPurpose>(
  "HookPurpose",
  "The purpose of a hook in the deployment. It decides the stage and the code of the failure of a hook that fails.",
  {
    GENERIC: "Anything else. If the hook fails, the code is `HOOK_FAILED`, with the stage in which it was executed.",
    DETECT: "Detects what the source contains. If the hook fails, the stage is `DETECT`.",
    BUILD: "Builds an artifact. If the hook fails, the code is `CODEBUILD_DOCKER_IMAGE_BUILD_FAILED`.",
    PUBLISH: "Publishes an artifact. If the hook fails, the stage is `PUBLISH`.",
    ROLLOUT: "Rolls out what was applied. If the hook fails, the stage is `ROLLOUT`.",
  },
);

const AFTER_WORDS = "A hook after an apply that has another purpose than `GENERIC` fails the run if it fails.";

const HookRef = builder.objectRef<Hook>("Hook").implement({
  description: "A command that the runs of a workspace execute before or after a step of the engine.",
  fields: (t) => ({
    stage: t.expose("stage", { type: HookStageEnum, description: "The time at which the hook is executed." }),
    purpose: t.field({
      type: HookPurposeEnum,
      description: `The purpose of the hook in the deployment. ${AFTER_WORDS}`,
      resolve: ({ purpose = "GENERIC" }) => purpose,
    }),
    command: t.exposeString("command", { description: "The command, for `/bin/sh -c`." }),
  }),
});

export const HookInputRef = builder.inputType("HookInput", {
  description: "A command that the runs of a workspace execute before or after a step of the engine.",
  fields: (t) => ({
    stage: t.field({ type: HookStageEnum, required: true, description: "The time at which the hook is executed." }),
    purpose: t.field({
      type: HookPurposeEnum,
      required: true,
      defaultValue: "GENERIC",
      description: `The purpose of the hook in the deployment. ${AFTER_WORDS}`,
    }),
    command: t.string({
      required: true,
      description: `The command for \`/bin/sh -c\`, in the folder of the configuration, with the environment of the engine; 1 to ${LIMITS.hookCommandLength} characters. Everyone with read access to the workspace can read it: put secrets into variables.`,
    }),
  }),
});

/** The description of the field `hooks` in inputs. */
export const HOOKS_INPUT_WORDS = `The whole list of hooks, at most ${LIMITS.hooksPerWorkspace}. The hooks of each of the ${HOOK_STAGES.length} stages are executed in order. Existing runs keep their hooks. Changing this needs the role ADMIN.`;

builder.objectField(WorkspaceRef, "hooks", (t) =>
  t.field({
    type: [HookRef],
    description: "The hooks of its runs, in order.",
    resolve: ({ hooks }) => [...hooks],
  }),
);

builder.objectField(RunRef, "hooks", (t) =>
  t.field({
    type: [HookRef],
    description:
      "The hooks of the workspace at the creation of the run. A run of kind APPLY has the hooks of its PLAN run.",
    resolve: ({ id }, _args, { loaders }) => loaders.load(hooksLoader, id),
  }),
);
