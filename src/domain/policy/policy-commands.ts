import type { Commands } from "../kit/bind-commands.ts";
import { createPolicyFixture } from "./create-fixture.ts";
import { createPolicySet } from "./create-policy-set.ts";
import { deletePolicyFixture } from "./delete-fixture.ts";
import { deletePolicySet } from "./delete-policy-set.ts";
import { pushPolicySetVersion } from "./push-version.ts";
import { setPolicySetVersionState } from "./set-version-state.ts";
import { simulatePolicySet } from "./simulate-policy-set.ts";
import { stopPolicySimulation } from "./stop-simulation.ts";
import { updatePolicySet } from "./update-policy-set.ts";

/** The commands about policy sets, by name. */
export const POLICY_COMMANDS = {
  createPolicyFixture: { run: createPolicyFixture, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  deletePolicyFixture: { run: deletePolicyFixture, errors: ["NOT_FOUND", "FORBIDDEN"] },
  simulatePolicySet: { run: simulatePolicySet, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "POLICY_INVALID"] },
  stopPolicySimulation: { run: stopPolicySimulation, errors: ["NOT_FOUND", "FORBIDDEN"] },
  createPolicySet: { run: createPolicySet, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "NAME_TAKEN"] },
  deletePolicySet: { run: deletePolicySet, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
  pushPolicySetVersion: {
    run: pushPolicySetVersion,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "POLICY_INVALID"],
  },
  setPolicySetVersionState: {
    run: setPolicySetVersionState,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "POLICY_INVALID"],
  },
  updatePolicySet: {
    run: updatePolicySet,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED", "NAME_TAKEN"],
  },
} as const satisfies Commands;
