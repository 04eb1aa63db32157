import type { Commands } from "../kit/bind-commands.ts";
import { decidePolicyException, revokePolicyException } from "./decide-exception.ts";
import { overridePolicies } from "./override-policies.ts";
import { requestPolicyException } from "./request-exception.ts";

/** The commands about overrides and exceptions, by name. */
export const JUDGEMENT_COMMANDS = {
  decidePolicyException: {
    run: decidePolicyException,
    errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"],
  },
  overridePolicies: {
    run: overridePolicies,
    errors: [
      "INVALID_INPUT",
      "NOT_FOUND",
      "FORBIDDEN",
      "REAUTHENTICATION_REQUIRED",
      "RUN_STATE_CONFLICT",
      "STALE_PLAN",
    ],
  },
  requestPolicyException: { run: requestPolicyException, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
  revokePolicyException: { run: revokePolicyException, errors: ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN"] },
} as const satisfies Commands;
