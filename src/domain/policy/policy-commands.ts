import type { Commands } from "../kit/bind-commands.ts";
import { createPolicySet } from "./create-policy-set.ts";
import { deletePolicySet } from "./delete-policy-set.ts";
import { pushPolicySetVersion } from "./push-version.ts";
import { setPolicySetVersionState } from "./set-version-state.ts";
import { updatePolicySet } from "./update-policy-set.ts";

/** The commands about policy sets, by name. */
export const POLICY_COMMANDS = {
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
