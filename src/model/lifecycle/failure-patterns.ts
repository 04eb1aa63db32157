/**
 * The words by which messages of engines and providers are recognised. Loose words are none: see docs/failures.md. The
 * time that an expression takes must grow with the text and not with its square: providers quote answers of any size.
 */
import { CONFIGURATION_SUMMARIES } from "./configuration-summaries.ts";
import type { FailureReason } from "./failure-reason.ts";
import { answered, CONNECTION, WAITING } from "./message-texts.ts";
import { PROVIDER_CODES } from "./provider-codes.ts";

export interface FailurePattern {
  reason: FailureReason;
  /** Absent: both engines. */
  engine?: "terraform" | "tofu";
  /** Whole summaries of an engine. */
  summaries?: readonly string[];
  /** Error codes of APIs. */
  codes?: readonly string[];
  /** The forms of error codes of APIs: services have codes of one form, each with a name of its own in it. */
  forms?: readonly RegExp[];
  /** Whole sentences or errors of a library, in the summary or the detail, whose white space is single blanks. */
  texts?: readonly RegExp[];
  /** The summaries of the messages that it holds for. Absent: all. */
  within?: readonly string[];
  /** The types of the resources that it holds for. Absent: all, also none. */
  types?: RegExp;
}

const REGISTRY_SUMMARIES = ["Failed to query available provider packages", "Failed to install provider"];

/** Services whose resources wait for a new version to start. */
const SERVICES =
  /^(?:aws_ecs_service|aws_apprunner_service|kubernetes_(?:deployment|stateful_set|daemon_?set)(?:_v1)?|helm_release|google_cloud_run_(?:v2_)?service|azurerm_container_app)$/;

/** In the order in which they are tried. */
export const FAILURE_PATTERNS: readonly FailurePattern[] = [
  {
    reason: "CREDENTIALS_MISSING",
    summaries: ["No valid credential sources found", "Required token could not be found"],
    texts: [
      /\bno valid credential sources for Terraform AWS Provider found\b/,
      /\b(?:could not find|failed to find) default credentials\b/,
      /\bNoCredentialProviders: no valid providers in chain\b/,
      /\bno EC2 IMDS role found\b/,
      /\bplease run 'az login' to setup account\b/i,
      /\bcould not configure AzureCli Authorizer\b/,
      /\bHTTP remote state endpoint requires auth\b/,
      /\bhost \S+ requires authentication credentials\b/,
      /\bcould not read (?:Username|Password) for '/,
    ],
  },
  {
    reason: "CREDENTIALS_EXPIRED",
    codes: PROVIDER_CODES.CREDENTIALS_EXPIRED,
    forms: [/^(?=[A-Za-z]*$)Expired.*Token/],
    texts: [
      /\bThe security token included in the request is expired\b/,
      /\b[Tt]he SSO session (?:associated with this profile )?has expired\b/,
      /\boauth2: "invalid_grant"/,
      /\b[Tt]oken (?:is (?:invalid or )?|has |was )expired\b/,
    ],
  },
  {
    reason: "CREDENTIALS_INVALID",
    summaries: ["Unauthorized"],
    codes: PROVIDER_CODES.CREDENTIALS_INVALID,
    texts: [
      /\bgoogleapi: Error 401: /,
      /\bHTTP remote state endpoint invalid auth\b/,
      /\bhost \S+ rejected the given authentication credentials\b/,
      /\bPermission denied \(publickey/,
      /\bfatal: Authentication failed for '/,
      /\bThe requested URL returned error: 401\b/,
      /\bthe server has asked for the client to provide credentials\b/,
      /\b401 Bad credentials\b/,
      /\b[Ii]ncorrect user ?name or password\b/,
      /\bpassword authentication failed for user\b/,
      /\b[Ii]nvalid (?:API|access|authentication) [Tt]oken\b/,
      /\bAuthentication error \(10000\)/,
      ...answered(401, "Unauthorized"),
    ],
  },
  // Limits that clouds report as a refusal.
  {
    reason: "RATE_LIMITED",
    codes: ["rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED", "rate_limit_exceeded"],
    texts: [
      /\brate limit (?:of \d+ still )?(?:has been )?(?:exceeded|reached)(?=[:.,"]| for | by | due |$)/i,
      /\bexceeded (?:a secondary |the |your )?(?:API )?rate limit\b/,
      /\b[Tt]hrottling threshold has been reached\b/,
      /\bgoogleapi: Error 429: /,
      ...answered(429, "Too Many Requests"),
    ],
  },
  {
    reason: "QUOTA_EXCEEDED",
    codes: ["quotaExceeded", "limitExceeded", "QUOTA_EXCEEDED"],
    texts: [
      /\b[Ii]nsufficient (?:regional|project|zonal) quota to satisfy request\b/,
      /\bQuota limit '[^']+' has been exceeded\. Limit: /,
      /\bis forbidden: exceeded quota: /,
      /\bgoogleapi: Error 403: Quota '[A-Z_a-z0-9.-]+' exceeded\b/,
      /(?:^|[:"] ?)[Qq]uota(?:s|\(s\))? exceeded(?=[:.,"]| for |$)/,
    ],
  },
  {
    reason: "PERMISSION_DENIED",
    codes: PROVIDER_CODES.PERMISSION_DENIED,
    forms: [/AccessDenied(?:Exception|Fault)?$/],
    texts: [
      /\bgoogleapi: Error 403: /,
      /\bis forbidden: User "[^"]*" cannot /,
      /\b403 Resource not accessible by \w+/,
      /\b(?:Get|Post|Put|Patch|Delete) "https?:\/\/\S+": Forbidden\b/,
      /\bfatal: unable to access '\S+': The requested URL returned error: 403\b/,
      /\bis not authorized to perform: \S+ on resource: /,
      /\b[Ii]nsufficient privileges to (?:operate on|complete the operation)\b/,
      /\b[Yy]ou are not authorized (?:for this resource|to perform this (?:operation|action))\b/,
      /\b[Pp]ermission to perform this operation was denied\b/,
      /\bpermission denied for (?:database|schema|table|relation|function|sequence|tablespace)\b/,
      ...answered(403, "Forbidden"),
    ],
  },
  { reason: "REGISTRY_UNREACHABLE", within: REGISTRY_SUMMARIES, texts: CONNECTION },
  {
    reason: "REGISTRY_UNREACHABLE",
    within: REGISTRY_SUMMARIES,
    texts: [
      /\bcould not connect to \S+: /,
      /\bcould not query provider registry for \S+: the request failed after \d+ attempts, please try again later\b/,
      /\bbad response code: 5\d\d\b/,
      /\b50[234] (?:Bad Gateway|Service Unavailable|Gateway Time-?out)\b/,
    ],
  },
  {
    reason: "REGISTRY_UNREACHABLE",
    within: ["Error accessing remote module registry"],
    texts: [...CONNECTION, /\bthe request failed after \d+ attempts, please try again later\b/],
  },
  { reason: "NETWORK", texts: CONNECTION },
  {
    reason: "RATE_LIMITED",
    codes: PROVIDER_CODES.RATE_LIMITED,
    forms: [/^Throttl[A-Za-z.]*$/, /^TooManyRequests[A-Za-z]*$/],
    texts: [/\bThrottling: Rate exceeded\b/],
  },
  {
    reason: "QUOTA_EXCEEDED",
    codes: PROVIDER_CODES.QUOTA_EXCEEDED,
    forms: [
      /(?:Limit|Quota)(?:Exceeded|Reached|Exhausted)(?:Exception|Fault)?$/,
      /_(?:limit|quota)_(?:exceeded|reached)$/,
    ],
    texts: [
      /\bQuota '[A-Z_a-z0-9.-]+' exceeded\b/,
      /\b[Oo]peration (?:could not be completed as it )?results in exceeding (?:approved \S.{0,80}\bquota\b|quota limits? of )/i,
      /\bwill exceed your \w+ limit\b/,
      /\bQuota exceeded for (?:resources|instances|cores|ram|volumes|quota metric)\b/i,
    ],
  },
  {
    reason: "CAPACITY",
    codes: PROVIDER_CODES.CAPACITY,
    forms: [/^(?=[A-Za-z]*$)Insufficient.*Capacity/],
    texts: [
      /\bdoes not have enough resources available to fulfill the request\b/,
      /\bOut of host capacity\b/,
      /\bdo not have sufficient \S+ capacity in the Availability Zone you requested\b/,
    ],
  },
  {
    reason: "ALREADY_EXISTS",
    summaries: ["Resource Already Exists"],
    codes: PROVIDER_CODES.ALREADY_EXISTS,
    forms: [
      /Already(?:Exists?|OwnedByYou|Taken)(?:Exception|Fault)?$/,
      /^Duplicate[A-Za-z]+Name(?:Exception)?$/,
      /\.Duplicate$/,
      /^DUPLICATE_[A-Z_]*NAME$/,
    ],
    texts: [
      // The end of a sentence, also of one in JSON: what exists is named before it.
      /\balready exists(?: with (?:that|the same) \w+)?(?=\W*$|\.?\\*"[,}])/,
      /\b(?:has )?already been taken\b/,
      /\b(?:[Ll]abel|[Nn]ame|[Kk]ey|[Pp]ath) (?:must be unique among|is already in use|not unique)\b/,
      /\bA resource with the ID "[^"]+" already exists - to be managed via Terraform this resource needs to be imported\b/,
      // From the first mark alone: each later one would be followed to the end of the text again.
      /^(?:(?!\bgoogleapi: Error 409: )[^])*googleapi: Error 409: [^]*\balready exists\b/i,
      /\bcannot re-use a name that is still in use\b/,
      /\bhas been taken in this account, please try a different suffix\b/,
      /\bResourceConflictException: Function already exist\b/,
    ],
  },
  {
    reason: "IN_USE",
    codes: PROVIDER_CODES.IN_USE,
    forms: [/InUse(?:Exception|Fault|ByAnotherResource)?$/, /^InUse[A-Za-z]+CannotBeDeleted$/],
    texts: [
      /\b(?:is already|are) being used by '/,
      /\b[Aa]nother (?:conflicting )?operation (?:\([^)]{1,80}\) )?(?:may be|is) (?:already )?in progress\b/,
    ],
  },
  {
    reason: "STARTUP",
    types: SERVICES,
    texts: [
      ...WAITING,
      /\bWaiting for rollout to finish: /,
      /\bDeployment exceeded its progress deadline\b/,
      /\bfailed to start and listen on the port\b/,
      /\bis not ready and cannot serve traffic\b/,
      /\bResourceNotReady: failed waiting for successful resource state\b/,
      /\bclient rate limiter Wait returned an error: context deadline exceeded\b/,
    ],
  },
  {
    reason: "STARTUP",
    texts: [
      /\bWaiting for rollout to finish: /,
      /\bDeployment exceeded its progress deadline\b/,
      /\bfailed to start and listen on the port\b/,
      /\bfailed to rollout Deployment\b/,
    ],
  },
  { reason: "TIMED_OUT_WAITING", codes: ["DeadlineExceeded"], texts: WAITING },
  {
    reason: "PROVISIONER",
    summaries: ["local-exec provisioner error", "remote-exec provisioner error", "file provisioner error"],
  },
  {
    reason: "CONFIGURATION",
    summaries: CONFIGURATION_SUMMARIES,
    texts: [
      /^Cycle: /,
      /^Duplicate resource "[^"]*" configuration\b/,
      /^expected \S+ to (?:be one of|match|contain) /,
      /\bprovider registry \S+ does not have a provider named \S+/,
      /\bno available releases match the given constraints\b/,
    ],
  },
  {
    reason: "VARIABLE",
    summaries: [
      "No value for required variable",
      "Invalid value for variable",
      "Invalid value for input variable",
      "Required variable not set",
      "Unassigned variable",
      "Value for undeclared variable",
    ],
  },
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
  {
    reason: "PROTECTED",
    summaries: ["Instance cannot be destroyed"],
    texts: [/\bwithout setting deletion_protection ?= ?false\b/, /\bCannot delete protected \w+/],
  },
  {
    reason: "MODULE_SOURCE",
    summaries: [
      "Failed to download module",
      "Invalid module source address",
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
    summaries: [
      "Resource instance managed by newer provider version",
      "Incompatible provider version",
      "Unsupported state file format",
    ],
    texts: [/\bstate snapshot was created by (?:Terraform|OpenTofu) v\S+, which is newer than current v\S+/],
  },
  {
    reason: "LOCK_FILE",
    summaries: ["Inconsistent dependency lock file", "Provider dependency changes detected"],
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
      "Plugin did not respond",
      "Plugin error",
      "Request cancelled",
    ],
    texts: [/\brpc error: code = Unavailable desc = (?:transport is closing|error reading from server: EOF)/],
  },
  {
    reason: "STATE",
    summaries: [
      "Saved plan is stale",
      "Error acquiring the state lock",
      "Error locking state",
      "Unable to find remote state",
      "Failed to save state",
      "Failed to persist state to backend",
      "Error loading state",
      "Error saving state",
    ],
    texts: [/\bError acquiring the state lock: /],
  },
];
