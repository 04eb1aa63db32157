import { describe, expect, it } from "vitest";
import { isSignedWith } from "../../../src/domain/repository/hook-signature.ts";
import { repositoryIn } from "../../../src/model/repository/hook-event.ts";
import { push, signedGitLabPush } from "../../support/hook-delivery.ts";

const KINDS = ["BITBUCKET_CLOUD", "BITBUCKET_SERVER", "FORGEJO", "GITEA", "GITHUB", "GITLAB"] as const;
/** Kinds that sign alike. */
const ALIKE = [["BITBUCKET_CLOUD", "BITBUCKET_SERVER"], ["FORGEJO", "GITEA"], ["GITHUB"], ["GITLAB"]];
const SECRET = "It's a Secret to Everybody";

it("agrees with the vector that GitHub documents", () => {
  const signature = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17";
  const body = Buffer.from("Hello, World!");
  expect(isSignedWith(SECRET, "GITHUB", { "x-hub-signature-256": signature }, body)).toBe(true);
  expect(isSignedWith(SECRET, "GITHUB", { "x-hub-signature-256": signature.toUpperCase() }, body)).toBe(false);
});

it("agrees with the vector of Standard Webhooks", () => {
  const headers = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": "1614265330",
    "webhook-signature": "v0,x v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
  };
  const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  expect(isSignedWith(secret, "GITLAB", headers, Buffer.from('{"test": 2432232314}'))).toBe(true);
  expect(isSignedWith(secret, "GITLAB", headers, Buffer.from('{"test": 2432232315}'))).toBe(false);
});

describe.each(KINDS)("a delivery of %s", (kind) => {
  const { headers, body } = push(kind, SECRET);

  it("is authentic with the secret alone", () => {
    expect(isSignedWith(SECRET, kind, headers, body)).toBe(true);
    expect(isSignedWith(`${SECRET}.`, kind, headers, body)).toBe(false);
    for (const other of KINDS) {
      const isAlike = ALIKE.some((kinds) => kinds.includes(kind) && kinds.includes(other));
      if (!isAlike) expect(isSignedWith(SECRET, other, headers, body), other).toBe(false);
    }
  });

  it("is not authentic without its signature, or with another body", () => {
    for (const name of Object.keys(headers).filter((header) => /signature|token/.test(header))) {
      const { [name]: _signature, ...rest } = headers;
      expect(isSignedWith(SECRET, kind, rest, body)).toBe(false);
      expect(isSignedWith(SECRET, kind, { ...rest, [name]: "" }, body)).toBe(false);
      expect(isSignedWith(SECRET, kind, { ...rest, [name]: [headers[name] ?? ""] }, body)).toBe(false);
    }
    const isSigned = kind !== "GITLAB";
    expect(isSignedWith(SECRET, kind, headers, Buffer.concat([body, Buffer.from(" ")]))).toBe(!isSigned);
  });

  it("names its repository", () => {
    const remoteId = kind === "BITBUCKET_CLOUD" ? "{42}" : "42";
    expect(repositoryIn(kind, body)).toEqual({ remoteId, name: "acme/infrastructure" });
    expect(repositoryIn(kind, Buffer.from("{}"))).toBeNull();
    expect(repositoryIn(kind, Buffer.from("[{"))).toBeNull();
  });
});

it("prefers the header of Forgejo, and never trusts plain git", () => {
  const { headers, body } = push("FORGEJO", SECRET);
  const both = { ...headers, "x-gitea-signature": "0".repeat(64) };
  expect(isSignedWith(SECRET, "GITEA", both, body)).toBe(true);
  expect(isSignedWith(SECRET, "GIT", push("GITHUB", SECRET).headers, body)).toBe(false);
});

it("accepts signing tokens of GitLab, and secrets that are none", () => {
  for (const secret of [SECRET, "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]) {
    const { headers, body } = signedGitLabPush(secret);
    expect(isSignedWith(secret, "GITLAB", headers, body)).toBe(true);
    expect(isSignedWith(secret, "GITLAB", { ...headers, "webhook-id": "other" }, body)).toBe(false);
  }
});
