import { ROLLBACK_LIMITS, type RollbackGuard, type RollbackSettings } from "../../model/workspace/rollback-settings.ts";
import { RollbackModeEnum } from "../verification/rollback-mode.ts";
import { builder } from "../kit/builder.ts";
import { describedEnum } from "../kit/described-enum.ts";
import { WorkspaceRef } from "../kit/refs.ts";

const GuardTypeEnum = describedEnum<RollbackGuard["type"]>("RollbackGuardType", "The object that a guard compares.", {
  OUTPUT: "An output of the state.",
  VARIABLE: "A variable for the engine.",
});

const GUARDS = `Outputs or variables that must be the same now as after the run to go back to, such as the version of a schema; at most ${ROLLBACK_LIMITS.guards}. One that moved is a risk.`;

const RollbackGuardRef = builder.objectRef<RollbackGuard>("RollbackGuard").implement({
  description: "A value that must be the same now as after the run to go back to.",
  fields: (t) => ({
    type: t.expose("type", { type: GuardTypeEnum, description: "The kind of the guard." }),
    name: t.exposeString("name", { description: "Its name." }),
  }),
});

const RollbackSettingsRef = builder.objectRef<RollbackSettings>("RollbackSettings").implement({
  description: "How a workspace goes back after an apply that does not pass its verification.",
  fields: (t) => ({
    mode: t.expose("mode", { type: RollbackModeEnum, description: "The mode." }),
    guards: t.field({ type: [RollbackGuardRef], description: GUARDS, resolve: ({ guards }) => [...guards] }),
  }),
});

builder.objectField(WorkspaceRef, "rollbackSettings", (t) =>
  t.field({
    type: RollbackSettingsRef,
    description: "How it goes back after an apply that does not pass its verification.",
    resolve: ({ rollback }) => rollback,
  }),
);

export const ROLLBACK_INPUT_WORDS =
  "How it goes back after an apply that does not pass its verification. Changing it needs the permission to change gates.";

const RollbackGuardInputRef = builder.inputType("RollbackGuardInput", {
  description: "A value that must be the same now as after the run to go back to.",
  fields: (t) => ({
    type: t.field({ type: GuardTypeEnum, required: true, description: "The kind of the guard." }),
    name: t.string({ required: true, description: "Its name." }),
  }),
});

export const RollbackSettingsInputRef = builder.inputType("RollbackSettingsInput", {
  description: "How a workspace goes back. An absent field is not changed; null is invalid.",
  fields: (t) => ({
    mode: t.field({ type: RollbackModeEnum, description: "The mode. The default is OFF." }),
    guards: t.field({ type: [RollbackGuardInputRef], description: GUARDS }),
  }),
});
