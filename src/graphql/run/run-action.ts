import type { RunActionAvailability } from "../../domain/run/run-action-availability.ts";
import { builder } from "../kit/builder.ts";
import { RunActionEnum } from "./run-enums.ts";
import { UserErrorCodeEnum } from "../kit/user-error.ts";

export const RunActionAvailabilityRef = builder.objectRef<RunActionAvailability>("RunActionAvailability").implement({
  description: "Whether the caller may take an action now. `code` is the user error that the command would give.",
  fields: (t) => ({
    action: t.expose("action", { type: RunActionEnum, description: "The action." }),
    allowed: t.exposeBoolean("allowed", { description: "Whether it would be accepted." }),
    code: t.expose("code", {
      type: UserErrorCodeEnum,
      nullable: true,
      description: "The error that the command would give; null where it is allowed.",
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "Why not, for a person; null where it is allowed.",
    }),
  }),
});
