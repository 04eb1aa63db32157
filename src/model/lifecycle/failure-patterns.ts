/**
 * The words by which messages of engines and providers are recognised. Loose words are none: see docs/failures.md. The
 * time that an expression takes must grow with the text and not with its square: providers quote answers of any size.
 */
import { ENGINE_PATTERNS } from "./engine-patterns.ts";
import type { FailurePattern } from "./failure-pattern.ts";
import { answered, CONNECTION, TRANSFER, WAITING } from "./message-texts.ts";
import { PROVIDER_CODES } from "./provider-codes.ts";

const REGISTRY_SUMMARIES = [
  "Failed to query available provider packages",
  "Failed to install provider",
  "Error accessing remote module registry",
];

/** Services whose resources wait for a new version to start. */
const SERVICES =
  /^(?:aws_ecs_service|aws_apprunner_service|kubernetes_(?:deployment|stateful_set|daemon_?set)(?:_v1)?|helm_release|google_cloud_run_(?:v2_)?service|azurerm_container_app)$/;

/** In the order in which they are tried. */
export const FAILURE_PATTERNS: readonly FailurePattern[] = [
  {
    reason: "CREDENTIALS_MISSING",
    summaries: ["No valid credential sources found", "Required token could not be found"],
    texts: [
      /\bno valid credential sources (?:for [A-Z][A-Za-z0-9 ]{1,40} )?found\b/i,
      /\bis configured to use SSO but is missing required configuration: /,
      /\b(?:could not find|failed to find) default credentials\b/,
      /\bNoCredentialProviders: no valid providers in chain\b/,
      /\bno EC2 IMDS role found\b/,
      /\bNo valid \(unexpired\) Azure CLI Auth Tokens found\b/,
      /\bplease run 'az login' to setup account\b/i,
      /\bfrom the Azure CLI: No Authorization Tokens were found\b/,
      /\bcould not configure AzureCli Authorizer\b/,
      /\bHTTP remote state endpoint requires auth\b/,
      /\bhost \S+ requires authentication credentials\b/,
      /\b401 Requires authentication\b/,
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
      /\bThe specified parameter "SecurityToken\.Expired" is not valid\b/,
      /\bServicePrincipalToken does not contain secret material to retrieve a new access token\b/,
    ],
  },
  {
    reason: "CREDENTIALS_INVALID",
    summaries: ["Unauthorized"],
    codes: PROVIDER_CODES.CREDENTIALS_INVALID,
    forms: [/^(?:un|not_?)authenticated$/i],
    texts: [
      /\bgoogleapi: Error 401: /,
      /\bHTTP remote state endpoint invalid auth\b/,
      /\bhost \S+ rejected the given authentication credentials\b/,
      /\bPermission denied \(publickey/,
      /\bfatal: Authentication failed for '/,
      /\bThe requested URL returned error: 401\b/,
      /\bthe server has asked for the client to provide credentials\b/,
      /\b401 Bad credentials\b/,
      /\b[Aa]uthorization token is invalid\b/,
      /\b[Ii]ncorrect user ?name or password\b/,
      /\b[Aa]uthentication failed for user\b/,
      /\bthe API returned an error: Invalid session\b/,
      // One error of a chain, as the clients of registries and of Terraform Enterprise write it.
      /(?:^|: )unauthorized(?=: |\.? [A-Z]|\W*$)/,
      /\bFailed to determine GroupVersionResource for manifest Unauthorized$/,
      /\b[Ii]nvalid (?:API|access|authentication) [Tt]oken\b/,
      /\bAuthentication error \(10000\)/,
      /(?:^|: )\[401\] /,
      ...answered(401, "Unauthorized"),
    ],
  },
  // A change under way: Azure reports it as too many requests, Google as a refusal.
  { reason: "IN_USE", codes: ["ReferencedResourceNotProvisioned", "operationInProgress"] },
  // Limits that clouds report as a refusal.
  {
    reason: "RATE_LIMITED",
    codes: ["rateLimitExceeded", "userRateLimitExceeded", "RATE_LIMIT_EXCEEDED", "rate_limit_exceeded"],
    texts: [
      /\brate limit (?:of \d+ still )?(?:has been )?(?:exceeded|reached)(?=[:.,"]| for | by | due | until |$)/i,
      /\bexceeded (?:a secondary |the |your )?(?:API )?rate limit\b/,
      /\b[Tt]hrottling threshold has been reached\b/,
      /\bgoogleapi: Error 429: (?!Quota limit ')/,
      /\bThe requested URL returned error: 429\b/,
      /(?:^|: )\[429\] /,
      ...answered(429, "Too Many Requests"),
    ],
  },
  {
    reason: "QUOTA_EXCEEDED",
    codes: ["quotaExceeded", "QUOTA_EXCEEDED"],
    texts: [
      /\b[Ii]nsufficient (?:regional|project|zonal) quota to satisfy request\b/,
      /\bQuota limit '[^']+' has been exceeded\. Limit: /,
      /\bQuota '[A-Z_a-z0-9.-]+' exceeded\b/,
      /\bis forbidden: exceeded quota: /,
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
      /\bpermission denied (?:for (?:database|schema|table|relation|function|sequence|tablespace)|to create \w+)\b/,
      /\b(?:pq|ERROR): (?:permission denied (?:for|to) |must be (?:member of role|owner of|superuser)\b)/,
      /\bHTTP status \d{3}: Permission denied\b/,
      /\bdenied: requested access to the resource is denied\b/,
      /\bCode: 403\. Errors: /,
      ...answered(403, "Forbidden"),
    ],
  },
  {
    reason: "REGISTRY_UNREACHABLE",
    within: REGISTRY_SUMMARIES,
    texts: [
      ...CONNECTION,
      /\bcould not connect to \S+: /,
      /: context deadline exceeded\b/,
      /\bthe request failed after \d+ attempts, please try again later\b/,
    ],
  },
  { reason: "NETWORK", texts: [...CONNECTION, ...TRANSFER] },
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
      /\b[Oo]peration (?:could not be completed as it )?results in exceeding (?:approved \S.{0,80}\bquota\b|quota limits? of )/i,
      /\bwill exceed your \w+ limit\b/,
      /\bQuota exceeded for (?:resources|instances|cores|ram|volumes|quota metric)\b/i,
    ],
  },
  {
    reason: "CAPACITY",
    codes: PROVIDER_CODES.CAPACITY,
    forms: [
      /^(?=[A-Za-z]*$)Insufficient.*Capacity/,
      /^(?:Zonal)?AllocationFailed$/,
      /^Overconstrained(?:Zonal)?AllocationRequest$/,
      /^ZONE_RESOURCE_POOL_EXHAUSTED(?:_WITH_DETAILS)?$/,
    ],
    texts: [
      /\bdoes not have enough resources available to fulfill the request\b/,
      /\bOut of host capacity\b/,
      /\bThere is no more capacity in the zone "/,
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
      /^42P0[467]$/,
    ],
    texts: [
      // The end of a sentence, also of one in JSON: what exists is named before it.
      /\balready exists(?: with (?:that|the same) \w+)?(?=\W*$|\.?\\*"[,}])/,
      /\b(?:has )?already been taken\b/,
      /\b(?:[Ll]abel|[Nn]ame|[Kk]ey|[Pp]ath) (?:must be unique among|is already in use|not unique)\b/,
      /\bA resource with the ID "[^"]+" already exists - to be managed via Terraform this resource needs to be imported\b/,
      // From the first mark alone: each later one would be followed to the end of the text again.
      /^(?:(?!\bgoogleapi: Error 409: )[^])*googleapi: Error 409: [^]*\balready exists\b/i,
      /\b409 Conflict: [^:]{1,200}\balready exists\b/,
      /\b409 - Conflict: Title: Duplicate record\b/,
      /\bgoogleapi: Error 409: You already own this bucket\b/,
      /\bcannot re-?use a name that is still in use\b/,
      /\bThe requested bucket name is not available\b/,
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
      /\bprecondition failed: resource is still in use\b/,
      /\bcan't lock file '[^']+' - got timeout\b/,
      /\bvm locked, could not obtain config\b/,
      /\b409-Conflict, \w+ \S+ currently attached\b/,
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
      /\bfailed the configured startup probe checks\b/,
      /\bResource readiness deadline exceeded\b/,
    ],
  },
  // The client of the plugin waits for it, too.
  {
    reason: "PROVIDER_BUG",
    texts: [
      /\brpc error: code = Unavailable desc = (?:transport is closing|error reading from server: EOF|connection error: desc = "transport: )/,
    ],
  },
  { reason: "TIMED_OUT_WAITING", codes: ["DeadlineExceeded"], texts: WAITING },
  ...ENGINE_PATTERNS,
];
