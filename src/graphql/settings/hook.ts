import { HOOK_STAGES, type Hook, type HookStage } from "../../model/workspace/hook.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { RunRef, WorkspaceRef } from "../kit/refs.ts";

const HookStageEnum = describedEnum<HookStage>(
  "HookStage",
  "When a hook is performed. Every leg of a run initialises the engine, an apply too.",
  {
    BEFORE_INIT: "Before the engine initialises. Where it fails, the run does.",
    AFTER_INIT: "When the engine has initialised. Where it fails, the run does.",
    BEFORE_PLAN: "Before the plan is made. Where it fails, the run does.",
    AFTER_PLAN: "When the plan was made, before anybody is shown it. Where it fails, the run does.",
    BEFORE_APPLY: "Before the plan is applied. Where it fails, the run does, and nothing was applied.",
    AFTER_APPLY: "When the plan was applied well. Where it fails, the log has a warning: what was applied stands.",
    BEFORE_DESTROY: "The same as BEFORE_APPLY, where everything is destroyed.",
    AFTER_DESTROY: "The same as AFTER_APPLY, where everything was destroyed.",
  },
);

const HookRef = builder.objectRef<Hook>("Hook").implement({
  description: "A command that the runs of a workspace perform before or after what the engine does.",
  fields: (t) => ({
    stage: t.expose("stage", { type: HookStageEnum, description: "When it is performed." }),
    command: t.exposeString("command", { description: "What is performed, as `/bin/sh -c` reads it." }),
  }),
});

export const HookInputRef = builder.inputType("HookInput", {
  description: "A command that the runs of a workspace perform before or after what the engine does.",
  fields: (t) => ({
    stage: t.field({ type: HookStageEnum, required: true, description: "When it is performed." }),
    command: t.string({
      required: true,
      description: `As \`/bin/sh -c\` reads it, in the folder of the configuration, with the environment of the engine; 1 to ${LIMITS.hookCommandLength} characters. Whoever may read the workspace can read it: secrets belong into variables.`,
    }),
  }),
});

/** The description of the same field in inputs. */
export const HOOKS_INPUT_WORDS = `What its runs perform around the engine: the whole list, at most ${LIMITS.hooksPerWorkspace}; those of one of the ${HOOK_STAGES.length} stages are performed in their order. Runs that exist keep theirs. Needs the role ADMIN.`;

builder.objectField(WorkspaceRef, "hooks", (t) =>
  t.field({
    type: [HookRef],
    description: "What its runs perform around the engine, in order.",
    resolve: ({ hooks }) => [...hooks],
  }),
);

builder.objectField(RunRef, "hooks", (t) =>
  t.field({
    type: [HookRef],
    description:
      "What it performs around the engine, as it stood in the workspace when the run was created; a run of kind APPLY has that of its PLAN run.",
    resolve: ({ id }, _args, { loaders }) => loaders.hooks.load(id),
  }),
);
