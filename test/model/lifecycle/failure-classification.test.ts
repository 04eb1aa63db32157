import { describe, expect, test } from "vitest";
import { apiCodes } from "../../../src/model/lifecycle/api-codes.ts";
import { reasonOf, type ReportedError } from "../../../src/model/lifecycle/failure-classification.ts";
import { FAILURE_PATTERNS } from "../../../src/model/lifecycle/failure-patterns.ts";
import { FAILURE_REASON_NAMES, FAILURE_REASONS } from "../../../src/model/lifecycle/failure-reason.ts";

const error = (summary: string, detail = "", address?: string): ReportedError => ({ summary, detail, address });
const REFUSED = "dial tcp 10.0.0.7:443: connect: connection refused";

test("every reason has a pattern that recognises its sample", () => {
  const found = FAILURE_REASON_NAMES.map((reason) => [
    reason,
    reasonOf([error(...toParts(FAILURE_REASONS[reason].sample))], null),
  ]);
  expect(found).toEqual(FAILURE_REASON_NAMES.map((reason) => [reason, reason]));
  expect(new Set(FAILURE_PATTERNS.map(({ reason }) => reason))).toEqual(new Set(FAILURE_REASON_NAMES));
});

/** Splits a sample that begins with the summary of an engine. */
function toParts(sample: string): [summary: string, detail: string] {
  const summary = "Failed to query available provider packages";
  return sample.startsWith(`${summary}: `) ? [summary, sample.slice(summary.length + 2)] : [sample, ""];
}

test("codes are found where SDKs write them, and nowhere else", () => {
  expect(
    apiCodes("operation error EC2: RunInstances, https response error StatusCode: 403, api error AuthFailure: x"),
  ).toContain("AuthFailure");
  expect(apiCodes("creating: AccessDenied: no status code: 403, request id: 1")).toContain("AccessDenied");
  expect(apiCodes("AccessDenied: no")).toContain("AccessDenied");
  expect(apiCodes('Status=409 Code="SkuNotAvailable" Message="x"')).toContain("SkuNotAvailable");
  expect(apiCodes("unexpected status 409 (409 Conflict) with error: SkuNotAvailable: x")).toContain("SkuNotAvailable");
  expect(apiCodes("googleapi: Error 403: no, at all, rateLimitExceeded")).toContain("rateLimitExceeded");
  expect(apiCodes('{"error":"invalid_grant"}')).toContain("invalid_grant");
  expect(apiCodes("<Error><Code>SlowDown</Code></Error>")).toContain("SlowDown");
  expect(apiCodes("https response error StatusCode: 409, RequestID: 1, LimitExceeded: no")).toContain("LimitExceeded");
  expect(apiCodes("unexpected status 403 with OData error: Authorization_RequestDenied: no")).toContain(
    "Authorization_RequestDenied",
  );
  expect(apiCodes("server limit exceeded (resource_limit_exceeded, 971c2996dc2dd6c0)")).toContain(
    "resource_limit_exceeded",
  );
  expect(apiCodes("server (resource_limit_exceeded) was not found")).toEqual(new Set());
  expect(apiCodes("003001 (42501): SQL access control error")).toContain("42501");
  expect(
    apiCodes("rpc error: code = ResourceExhausted desc = grpc: received message larger than max (9 vs. 4)"),
  ).toEqual(new Set());
  expect(apiCodes("googleapi: Error 400: no rateLimitExceeded, at all")).not.toContain("rateLimitExceeded");
  expect(apiCodes("aws_iam_policy.AccessDenied: the role AccessDenied is missing")).toEqual(new Set());
  expect(apiCodes("creating IAM Policy (AccessDenied): it is empty")).toEqual(new Set());
});

test.each([
  ["InvalidVolume.ZoneMismatch: no", "InvalidVolume.ZoneMismatch"],
  ["it failed, error code: ThrottledRequest", "ThrottledRequest"],
  ['{"ErrorCode":1} errorCode="QuotaFull"', "QuotaFull"],
  ["An error occurred (SlowDown) when calling the PutObject operation", "SlowDown"],
  ["unexpected status 409 with error: SkuNotAvailable", "SkuNotAvailable"],
  ["Error: 404-NotAuthorizedOrNotFound", "NotAuthorizedOrNotFound"],
  ["https response error StatusCode: 404, RequestID: ab12, HostID: cd/3=, NoSuchBucket: no", "NoSuchBucket"],
  ["unexpected status 409 with response: the zone is full: SkuNotAvailable", "SkuNotAvailable"],
  ["Service error:LimitExceeded", "LimitExceeded"],
  ["it failed: Code=SkuNotAvailable Message=no", "SkuNotAvailable"],
  ["Details: Reason: quotaExceeded, Message: no", "quotaExceeded"],
  ["rpc error: code = ResourceExhausted desc = no", "ResourceExhausted"],
])("the whole code in %s is found", (text, code) => {
  expect(apiCodes(text)).toEqual(new Set([code]));
});

test("a word of Google's form is no code without Google's error", () => {
  expect(apiCodes("it failed, rateLimitExceeded")).toEqual(new Set());
});

test.each<[text: string, reason: string | null]>([
  ['"a": conflicts with b', "CONFIGURATION"],
  ['see "a": conflicts with b', null],
  ["invalid or unknown key: x", "CONFIGURATION"],
  ["see invalid or unknown key: x", null],
  ["Incompatible provider version", "ENGINE_VERSION"],
  ["The state file uses format version 12, which is not supported by Terraform 1.5. Upgrade.", "ENGINE_VERSION"],
  ["Error loading state: no", "STATE"],
  ["no valid credential sources for S3 Backend found.", "CREDENTIALS_MISSING"],
  ["The SSO session associated with this profile has expired", "CREDENTIALS_EXPIRED"],
  ['{"code":"not_authenticated"}', "CREDENTIALS_INVALID"],
  ["Incorrect username or password", "CREDENTIALS_INVALID"],
  ["Incorrect user name or password", "CREDENTIALS_INVALID"],
  ["rate limit reached for the project", "RATE_LIMITED"],
  ["rate limit has been exceeded", "RATE_LIMITED"],
  ["API rate limit of 5 still exceeded until 12:00", "RATE_LIMITED"],
  ["API rate limit of 5000 still exceeded until 12:00", "RATE_LIMITED"],
  ["api error KMSAccessDeniedException: no", "PERMISSION_DENIED"],
  ["api error ThrottlingException: no", "RATE_LIMITED"],
  ["api error Throttling5x: no", null],
  ["api error OverconstrainedZonalAllocationRequest: no", "CAPACITY"],
  ["api error MyOverconstrainedAllocationRequest: no", null],
  ["operation could not be completed as it results in exceeding approved standard cores quota", "QUOTA_EXCEEDED"],
  ["operation results in exceeding quota limit of cores", "QUOTA_EXCEEDED"],
  ["operation results in exceeding quota limits of cores", "QUOTA_EXCEEDED"],
  ["Resource Already Exists", "ALREADY_EXISTS"],
  ["api error ResourceAlreadyExistsException: no", "ALREADY_EXISTS"],
  ["api error QueueAlreadyExistsMaybe: no", null],
  ["the bucket already exists", "ALREADY_EXISTS"],
  ["a bucket already exists with the same name.", "ALREADY_EXISTS"],
  ["creating: googleapi: Error 409: The resource 'a' already exists in b", "ALREADY_EXISTS"],
  ["another operation is in progress", "IN_USE"],
  ["Another conflicting operation (abc) may be already in progress", "IN_USE"],
  ["dial udp: lookup h on 10.0.0.1:53: no such host", "NETWORK"],
  ["dial tcp: lookup h: server misbehaving", "NETWORK"],
  ["dial tcp 10.0.0.1:443: getsockopt: no route to host", "NETWORK"],
  ["dial tcp 10.0.0.1:443: i/o timeout", "NETWORK"],
  ['Get "http://h/x": EOF', "NETWORK"],
  ["Post https://h/x: unexpected EOF", "NETWORK"],
  ["ssh: connect to host h port 2222: No route to host", "NETWORK"],
])("the reason of %s is %s", (text, reason) => {
  expect(reasonOf([error(text)], null)).toBe(reason);
});

test.each([
  ["Output value precondition failed", "CONDITION"],
  ["Module subdirectory not found", "MODULE_SOURCE"],
])("the reason of %s, which OpenTofu writes, is %s", (summary, reason) => {
  expect(reasonOf([error(summary)], "tofu")).toBe(reason);
  expect(reasonOf([error(summary)], "terraform")).toBeNull();
});

describe("of several errors and several reasons", () => {
  test("the first in the order of the patterns counts, in any order of the errors", () => {
    const errors = [error("Unsupported argument"), error("x", REFUSED), error("Unauthorized")];
    expect(reasonOf(errors, null)).toBe("CREDENTIALS_INVALID");
    expect(reasonOf(errors.toReversed(), null)).toBe("CREDENTIALS_INVALID");
    expect(reasonOf([error("x", `api error ExpiredToken: y, ${REFUSED}`)], null)).toBe("CREDENTIALS_EXPIRED");
  });

  test("none is the reason of none", () => {
    expect(reasonOf([], null)).toBeNull();
    expect(reasonOf([error("network"), error("Error creating aws_network_acl timeout quota denied")], null)).toBeNull();
  });
});

test("a number or a name beside an error is no status of an answer", () => {
  const texts = [
    "creating Security Group Rule: port 403 is not allowed",
    "creating Listener: 429 of 500 rules are used",
    "the bucket forbidden-401 has no policy",
    "creating rule: if the name already exists the rule is skipped",
    "creating Alarm (quota exceeded alarm): Period must be a multiple of 60",
    "creating Alarm (API rate limit exceeded alarm): Period must be a multiple of 60",
  ];
  expect(texts.filter((text) => reasonOf([error(text)], null) !== null)).toEqual([]);
});

test("a wrapped text is one", () => {
  expect(reasonOf([error("x", 'Get "https://a": dial tcp\n10.0.0.7:443: connect:\n  connection refused')], null)).toBe(
    "NETWORK",
  );
});

test("what a local-exec provisioner quotes is not read", () => {
  const detail = `Error running command 'curl x': exit status 7. Output: ${REFUSED}, api error AccessDenied: no`;
  expect(reasonOf([error("local-exec provisioner error", detail)], null)).toBe("PROVISIONER");
});

test("words of the other engine are none", () => {
  const versions = [error("Unsupported OpenTofu Core version"), error("Unsupported Terraform Core version")];
  expect(versions.map((each) => reasonOf([each], "tofu"))).toEqual(["ENGINE_VERSION", null]);
  expect(versions.map((each) => reasonOf([each], "terraform"))).toEqual([null, "ENGINE_VERSION"]);
});

test("words of any engine are known of each", () => {
  const found = (["terraform", "tofu"] as const).map((engine) => reasonOf([error("x", REFUSED)], engine));
  expect(found).toEqual(["NETWORK", "NETWORK"]);
});

test("a service that does not start in time is another matter than a slow object", () => {
  const waiting = "timeout while waiting for state to become 'x' (last state: 'y', timeout: 10m0s)";
  expect(reasonOf([error(waiting, "", 'module.a["b.c"].aws_ecs_service.web["x.y"]')], null)).toBe("STARTUP");
  const kinds = ["daemonset", "daemon_set", "daemon_set_v1", "deployment", "stateful_set_v1"];
  const services = [
    "google_cloud_run_service",
    "google_cloud_run_v2_service",
    ...kinds.map((kind) => `kubernetes_${kind}`),
  ];
  for (const type of services) expect(reasonOf([error(waiting, "", `${type}.a`)], null)).toBe("STARTUP");
  const others = ["aws_vpc.a", "acme_helm_release.a", "helm_release_note.a"];
  for (const address of others) expect(reasonOf([error(waiting, "", address)], null)).toBe("TIMED_OUT_WAITING");
  expect(reasonOf([error(waiting)], null)).toBe("TIMED_OUT_WAITING");
});

test("a text of any size and shape ends soon", () => {
  const hostile = [
    "googleapi: Error 403: ".repeat(2000),
    "Code: ".repeat(5000),
    "a: ".repeat(9000),
    `dial tcp ${"x".repeat(50_000)}`,
  ];
  for (const detail of hostile) expect(() => reasonOf([error("x", `${detail} status code: 400`)], null)).not.toThrow();
});
