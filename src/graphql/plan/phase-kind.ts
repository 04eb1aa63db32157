import type { PhaseKind } from "../../model/run/phase.ts";
import { describedEnum } from "../kit/described-enum.ts";

export const PhaseKindEnum = describedEnum<PhaseKind>("PhaseKind", "The work of a phase.", {
  PREPARE: "The workspace is fetched, or restored from the plan.",
  INIT: "The engine initialises.",
  TEST: "The tests of the configuration are run.",
  PLAN: "The plan is made.",
  POLICY: "Policies check the plan.",
  PLAN_APPROVAL: "People decide whether the plan is acceptable.",
  APPLY_APPROVAL: "People decide whether to start the apply.",
  APPLY: "The plan is applied.",
  DESTROY: "Everything is removed.",
  VERIFY: "Probes check the result.",
  PERFORM: "A command is executed, or a lock removed.",
});
