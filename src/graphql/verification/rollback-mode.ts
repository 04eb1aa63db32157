import type { RollbackMode } from "../../model/workspace/rollback-settings.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const RollbackModeEnum = describedEnum<RollbackMode>(
  "RollbackMode",
  "The action of a workspace after an apply that does not pass its verification.",
  {
    OFF: "Nothing; a person may call `rollbackRun`.",
    PROPOSE: "A run to go back is created, and waits for people.",
    AUTO_SAFE:
      "The run to go back applies a plan that is complete and deletes, replaces and forgets nothing. It waits with any other plan, and with each risk.",
  },
);
