import type { RunUpstream } from "../../model/dependency/run-upstream.ts";
import type { StateVersion } from "../../model/state/state-version.ts";
import { builder } from "../kit/builder.ts";
import { requiredPermissions } from "../kit/field-permissions.ts";
import { loaderOf } from "../kit/loader.ts";
import { runLoader, RunRef, StateVersionRef, stateVersionLoader } from "../kit/refs.ts";
import { LEAVES_WORKSPACE } from "../kit/workspace-bound.ts";
import { VariableCategoryEnum } from "../workspace/variable.ts";

const upstreamInputsLoader = loaderOf((domain, caller, ids) => domain.upstreamInputsOfRuns(caller, ids));

type UpstreamInput = RunUpstream & { stateVersion: StateVersion };

const RunUpstreamInputRef = builder.objectRef<UpstreamInput>("RunUpstreamInput").implement({
  description: "An output of a workspace upstream that a run got as a variable. `Run.variables` has the value.",
  fields: (t) => ({
    output: t.exposeString("output", { description: "The name of the output." }),
    key: t.exposeString("key", { description: "The name of the variable." }),
    category: t.expose("category", {
      type: VariableCategoryEnum,
      description: "The way in which the variable is passed to the engine.",
    }),
    run: t.field({
      type: RunRef,
      nullable: true,
      extensions: LEAVES_WORKSPACE,
      description:
        "The run upstream that wrote the state. `null` if a person imported it, or the caller may not read the run.",
      resolve: ({ stateRunId }, _args, { loaders }) =>
        stateRunId === null ? null : loaders.load(runLoader, stateRunId),
    }),
    stateVersion: t.expose("stateVersion", {
      type: StateVersionRef,
      extensions: LEAVES_WORKSPACE,
      description: "The state upstream that the value is from.",
    }),
    assumed: t.exposeBoolean("assumed", {
      description:
        "Whether the value may be another one by the time of an apply: a run of kind PLAN has it as it was applied last. A DESTROY has that of the last apply if the output is gone.",
    }),
  }),
});

builder.objectField(RunRef, "upstreamInputs", (t) =>
  t.field({
    type: [RunUpstreamInputRef],
    extensions: { ...LEAVES_WORKSPACE, ...requiredPermissions("WORKSPACE_READ") },
    description:
      "The outputs that the run got from workspaces that the caller may read, by category and key. Empty before it is admitted.",
    resolve: async ({ id }, _args, { loaders }) => {
      const inputs = await loaders.load(upstreamInputsLoader, id);
      const states = await Promise.all(
        inputs.map(({ stateVersionId }) => loaders.load(stateVersionLoader, stateVersionId)),
      );
      return inputs.flatMap((input, index): UpstreamInput[] => {
        const stateVersion = states[index] ?? null;
        return stateVersion === null ? [] : [{ ...input, stateVersion }];
      });
    },
  }),
);
