/** The words by which messages of the engines themselves are recognised. */
import { CONFIGURATION_SUMMARIES, TOFU_CONFIGURATION_SUMMARIES } from "./configuration-summaries.ts";
import type { FailurePattern } from "./failure-pattern.ts";

/** In the order in which they are tried. */
export const ENGINE_PATTERNS: readonly FailurePattern[] = [
  {
    reason: "PROVISIONER",
    summaries: ["local-exec provisioner error", "remote-exec provisioner error", "file provisioner error"],
    texts: [/\berror executing "[^"]*terraform_\d+\.\w+": Process exited with status \d+/],
  },
  {
    reason: "CONFIGURATION",
    summaries: CONFIGURATION_SUMMARIES,
    texts: [
      /^(?:Terraform|OpenTofu) encountered problems during initiali[sz]ation, including problems with the configuration\b/,
      /^Cycle: /,
      /^Duplicate resource "[^"]*" configuration\b/,
      /^expected \S+ to (?:be one of|match|contain) /,
      // The validation of the plugin SDK.
      /^"[^"]+": (?:conflicts with |required field is not set\b|(?:one|all|only one) of `)/,
      /^invalid or unknown key: /,
      /\bprovider registry \S+ does not have a provider named \S+/,
      /\bno available releases match the given constraints\b/,
      /\bprovider \S+ was not found in any of the search locations\b/,
    ],
  },
  { reason: "CONFIGURATION", engine: "tofu", summaries: TOFU_CONFIGURATION_SUMMARIES },
  { reason: "VARIABLE", engine: "tofu", summaries: ["Missing required variable in module call"] },
  {
    reason: "VARIABLE",
    summaries: [
      "No value for required variable",
      "Invalid value for variable",
      "Invalid value for input variable",
      "Unassigned variable",
      "Value for undeclared variable",
    ],
  },
  { reason: "CONDITION", engine: "tofu", summaries: ["Output value precondition failed"] },
  {
    reason: "CONDITION",
    summaries: [
      "Resource precondition failed",
      "Resource postcondition failed",
      "Module output value precondition failed",
      "Check block assertion failed",
      "Test assertion failed",
    ],
  },
  { reason: "PROTECTED", summaries: ["Instance cannot be destroyed"] },
  { reason: "PROTECTED", engine: "tofu", summaries: ["Resource instance cannot be destroyed"] },
  {
    reason: "PROTECTED",
    codes: ["protected"],
    texts: [/\bwithout setting deletion_protection ?= ?false\b/],
  },
  { reason: "MODULE_SOURCE", engine: "tofu", summaries: ["Module subdirectory not found"] },
  {
    reason: "MODULE_SOURCE",
    summaries: [
      "Failed to download module",
      "Failed to expand subdir globs",
      "Invalid module source address",
      "Invalid registry module source address",
      "Module not found",
      "Module has no versions",
      "Unresolvable module version constraint",
      "Unreadable module subdirectory",
      "Invalid package location from module registry",
      "Error accessing remote module registry",
      "Invalid response from remote module registry",
    ],
  },
  { reason: "ENGINE_VERSION", engine: "terraform", summaries: ["Unsupported Terraform Core version"] },
  { reason: "ENGINE_VERSION", engine: "tofu", summaries: ["Unsupported OpenTofu Core version"] },
  {
    reason: "ENGINE_VERSION",
    summaries: ["Resource instance managed by newer provider version", "Incompatible provider version"],
    texts: [
      /\bThe state file uses format version \d+, which is not supported by \S+ \S+\. /,
      /\bstate snapshot was created by (?:Terraform|OpenTofu) v\S+, which is newer than current v\S+/,
    ],
  },
  {
    reason: "LOCK_FILE",
    summaries: [
      "Inconsistent dependency lock file",
      "Provider dependency changes detected",
      "Required plugins are not installed",
    ],
    texts: [
      /\b(?:doesn't|does not) match any of the checksums (?:previously )?recorded in the dependency lock file\b/,
      /\blocked provider \S+ \S+ does not match configured version constraints?\b/,
    ],
  },
  {
    reason: "PROVIDER_BUG",
    summaries: [
      "Provider produced inconsistent final plan",
      "Provider produced inconsistent result after apply",
      "Provider produced invalid plan",
      "Provider produced invalid object",
      "Provider returned invalid result object after apply",
      "Plugin did not respond",
      "Plugin error",
      "Request cancelled",
    ],
    texts: [
      /\bUnrecognized remote plugin message: /,
      /(?:^|: )connection is shut down$/,
      /^The \S+ plugin crashed!/,
      // Both engines and the plugin framework.
      /\b[Tt]his is (?:always )?(?:a bug (?:in|with)|an (?:error in|issue with)) the (?:Terraform )?provider(?:\. Please report|,? (?:which|and) should be reported)/,
    ],
  },
  {
    reason: "STATE",
    engine: "tofu",
    summaries: [
      "Error loading state",
      "Error refreshing state",
      "Failed to persist state",
      "Failed to refresh state",
      "Unable to fetch encryption key data",
    ],
  },
  {
    reason: "STATE",
    summaries: [
      "Saved plan is stale",
      "Error acquiring the state lock",
      "Error releasing the state lock",
      "Unable to find remote state",
      "Failed to save state",
      "Failed to persist state to backend",
    ],
    texts: [
      /\bError acquiring the state lock: /,
      /^Failed to (?:save|unlock) state: /,
      /^Error loading state: /,
      /^(?:Error refreshing state: )?Failed to get state: /,
      /\bUnsupported state file format: The state file /,
      /^no schema available for \S+ while reading state\b/,
    ],
  },
];
