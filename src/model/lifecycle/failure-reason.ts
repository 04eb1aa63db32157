/** The reasons of failures: why a run failed, apart from where it failed and how far it got. */
import { keysOf } from "../kit/keys-of.ts";
import type { FailureCategory, FailureCode, FailureStage } from "./failure-code.ts";

export interface ReasonDefinition {
  meaning: string;
  /** The code of a failure that changed nothing; `null`: that of its leg. */
  code: FailureCode | null;
  /** `null`: that of the code. */
  stage: FailureStage | null;
  category: FailureCategory;
  /** The category of an apply; absent: `category`. */
  categoryOfApply?: FailureCategory;
  /** Whether a new plan may succeed without a change by a person; `null`: as the code states. */
  retryable: boolean | null;
  /** A message of an engine or a provider that has this reason. */
  sample: string;
  /** Instruction for the reader. */
  fix: string;
}

const AUTH = { code: "AUTHENTICATION_FAILED", stage: null, category: "AUTH_FAILURE", retryable: false } as const;
const NETWORK = {
  code: "INFRASTRUCTURE_NETWORK_FAILURE",
  stage: null,
  category: "INFRASTRUCTURE_FAILURE",
  retryable: true,
} as const;
const INFRASTRUCTURE = { code: null, stage: null, category: "INFRASTRUCTURE_FAILURE" } as const;
const CONFIGURATION = { code: null, stage: null, category: "CONFIGURATION_FAILURE", retryable: false } as const;

/** Every reason, in the order in which they are looked for: the first that matches is the reason of a failure. */
export const FAILURE_REASONS = {
  CREDENTIALS_MISSING: {
    ...AUTH,
    meaning: "The engine or a provider found no credentials.",
    sample: "No valid credential sources found",
    fix: "Set the credentials as environment variables of the workspace.",
  },
  CREDENTIALS_EXPIRED: {
    ...AUTH,
    meaning: "Credentials were valid once, and have expired.",
    sample: "api error ExpiredToken: The security token included in the request is expired",
    fix: "Renew the credentials in the workspace, then plan again.",
  },
  CREDENTIALS_INVALID: {
    ...AUTH,
    meaning: "A provider or a registry does not know the credentials.",
    sample: "api error InvalidClientTokenId: The security token included in the request is invalid.",
    fix: "Check the credentials of the workspace: the key, the account and the region or tenant.",
  },
  PERMISSION_DENIED: {
    ...AUTH,
    meaning: "The credentials are valid, but do not permit the request.",
    sample: "UnauthorizedOperation: You are not authorized to perform this operation.",
    fix: "Grant the permission that the message names, then plan again.",
  },
  REGISTRY_UNREACHABLE: {
    ...NETWORK,
    stage: "SETUP",
    meaning: "A registry of providers or modules could not be reached.",
    sample:
      "Failed to query available provider packages: Could not retrieve the list of available versions for provider hashicorp/google: could not query provider registry for registry.terraform.io/hashicorp/google: the request failed after 2 attempts, please try again later",
    fix: "Check that the runner reaches the registry, or give it a mirror. Then plan again.",
  },
  NETWORK: {
    ...NETWORK,
    meaning: "A connection could not be made, or broke.",
    sample: "dial tcp 18.216.2.64:22: i/o timeout",
    fix: "Check the network between the runner and the address in the message. Then plan again.",
  },
  RATE_LIMITED: {
    ...NETWORK,
    meaning: "A provider refused requests because there were too many in a short time.",
    sample: "Throttling: Rate exceeded\n\tstatus code: 400",
    fix: "Plan again later. If it happens often, lower the parallelism or split the workspace.",
  },
  QUOTA_EXCEEDED: {
    ...INFRASTRUCTURE,
    retryable: false,
    meaning: "A quota or a limit of the account does not allow more.",
    sample: "InstanceLimitExceeded: Your quota allows for 0 more running instance(s).",
    fix: "Ask the provider for a higher quota, or remove what is not needed.",
  },
  CAPACITY: {
    ...INFRASTRUCTURE,
    retryable: true,
    meaning: "The provider has no capacity of that kind at that place now.",
    sample:
      "SkuNotAvailable: The requested VM size for resource 'Following SKUs have failed for Capacity Restrictions: Standard_B2ls_v2' is currently not available in location 'eastus2'.",
    fix: "Plan again later, or choose another size, zone or region.",
  },
  ALREADY_EXISTS: {
    ...INFRASTRUCTURE,
    retryable: false,
    meaning: "An object with that name exists, and is not in the state.",
    sample: "googleapi: Error 409: Requested entity already exists, alreadyExists",
    fix: "Import the object, choose another name, or remove the object.",
  },
  IN_USE: {
    ...INFRASTRUCTURE,
    retryable: true,
    meaning: "An object cannot be removed or changed while another one uses it.",
    sample: "DependencyViolation: The vpc 'vpc-b6cfabcd' has dependencies and cannot be deleted.",
    fix: "Remove what uses the object, if it is not in the configuration. Then plan again.",
  },
  STARTUP: {
    ...INFRASTRUCTURE,
    stage: "ROLLOUT",
    category: "STARTUP_FAILURE",
    retryable: false,
    meaning: "A service was changed, but its new version did not start in time.",
    sample: "Waiting for rollout to finish: 2 out of 4 new replicas have been updated...",
    fix: "Read the log of the service. Its image, its settings or its health check has an error.",
  },
  TIMED_OUT_WAITING: {
    ...INFRASTRUCTURE,
    retryable: true,
    meaning: "The provider waited for an object, which was not ready in time.",
    sample: "timeout while waiting for state to become 'AVAILABLE' (last state: 'PROVISIONING', timeout: 5m0s)",
    fix: "Check the object at the provider. Plan again, or raise the timeout in the configuration.",
  },
  PROVISIONER: {
    ...INFRASTRUCTURE,
    retryable: false,
    meaning: "A provisioner failed after its resource was created. The resource is tainted.",
    sample: "local-exec provisioner error",
    fix: "Read the output of the provisioner in the log. The next plan replaces the resource.",
  },
  CONFIGURATION: {
    ...CONFIGURATION,
    meaning: "The configuration has an error.",
    sample: "Unsupported argument",
    fix: "Correct the file and the line that the message names.",
  },
  VARIABLE: {
    ...CONFIGURATION,
    meaning: "A variable has no value, or one that is not allowed.",
    sample: "No value for required variable",
    fix: "Set the variable in the workspace.",
  },
  CONDITION: {
    ...CONFIGURATION,
    categoryOfApply: "HEALTH_CHECK_FAILURE",
    meaning: "A condition of the configuration does not hold.",
    sample: "Resource postcondition failed",
    fix: "Read the message of the condition: the configuration or the infrastructure is not as it demands.",
  },
  PROTECTED: {
    ...CONFIGURATION,
    meaning: "The plan would destroy an object that is protected.",
    sample: "Instance cannot be destroyed",
    fix: "Remove the protection first, if the object is really to be destroyed.",
  },
  MODULE_SOURCE: {
    ...CONFIGURATION,
    stage: "CLONE",
    meaning: "A module could not be fetched from its source.",
    sample: "Failed to download module",
    fix: "Check the address and the version of the module, and that the runner may read it.",
  },
  ENGINE_VERSION: {
    ...CONFIGURATION,
    stage: "SETUP",
    category: "RUNNER_FAILURE",
    meaning: "The engine or a provider of the runner is too old or too new for the configuration or the state.",
    sample: "Unsupported Terraform Core version",
    fix: "Use a runner with the version that the message names, or change the constraint.",
  },
  LOCK_FILE: {
    ...CONFIGURATION,
    meaning: "The dependency lock file does not fit the configuration.",
    sample: "Inconsistent dependency lock file",
    fix: "Run `terraform init` or `tofu init` locally and commit the lock file, with the checksums of the runner's platform.",
  },
  PROVIDER_BUG: {
    ...INFRASTRUCTURE,
    category: "RUNNER_FAILURE",
    retryable: true,
    meaning: "A provider crashed, or contradicted itself.",
    sample: "Provider produced inconsistent final plan",
    fix: "Plan again. If it happens again, use another version of the provider and report the error to its authors.",
  },
  STATE: {
    code: null,
    stage: null,
    category: "STATE_FAILURE",
    retryable: null,
    meaning: "The state could not be read, locked or written, or is not the one of the plan.",
    sample: "Saved plan is stale",
    fix: "Plan again. If the state is locked, wait for the run that holds the lock.",
  },
} as const satisfies Record<string, ReasonDefinition>;

export type FailureReason = keyof typeof FAILURE_REASONS;
export const FAILURE_REASON_NAMES = keysOf(FAILURE_REASONS);
