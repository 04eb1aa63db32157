import type { RunActionAvailability } from "../../domain/run/run-action-availability.ts";
import { builder } from "../kit/builder.ts";
import { RunActionEnum } from "./run-enums.ts";
import { UserErrorCodeEnum } from "../kit/user-error.ts";

export const RunActionAvailabilityRef = builder.objectRef<RunActionAvailability>("RunActionAvailability").implement({
  description: "An action, and whether the caller may take it now.",
  fields: (t) => ({
    action: t.expose("action", { type: RunActionEnum, description: "The action." }),
    allowed: t.exposeBoolean("allowed", { description: "Whether the command would be accepted." }),
    code: t.expose("code", {
      type: UserErrorCodeEnum,
      nullable: true,
      description: "The code of the user error that the command would return. `null` if it is allowed.",
    }),
    reason: t.exposeString("reason", {
      nullable: true,
      description: "The reason in words. `null` if it is allowed.",
    }),
  }),
});
