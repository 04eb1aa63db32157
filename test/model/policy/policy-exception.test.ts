import { describe, expect, test } from "vitest";
import { addressPattern } from "../../../src/domain/kit/patterns.ts";
import {
  isRequester,
  type PolicyException,
  showException,
  stateAt,
  type Violation,
  waivers,
} from "../../../src/model/policy/policy-exception.ts";

const AT = "2026-03-01T12:00:00.000Z";

function exception(changes: Partial<PolicyException> = {}): PolicyException {
  return {
    id: "pexc_1",
    organizationId: "org_1",
    setId: "pset_1",
    policy: "tags",
    rule: "*",
    addressGlob: "*",
    workspaceIds: ["ws_1"],
    reason: "It moves in May.",
    ticket: null,
    state: "APPROVED",
    requestedById: "usr_ann",
    requesterCountsAs: "usr_ann",
    requestedAt: AT,
    expiresAt: "2026-04-01T12:00:00.000Z",
    decided: null,
    revoked: null,
    ...changes,
  };
}

function violation(changes: Partial<Violation> = {}): Violation {
  return {
    id: "pres_1",
    source: "POLICY",
    ownerId: "pset_1",
    policy: "tags",
    rule: "owner",
    level: "MANDATORY",
    status: "FAILED",
    addresses: ["aws_instance.a"],
    approvers: null,
    ...changes,
  };
}

const waiverOf = (one: Partial<Violation>, ...exceptions: Partial<PolicyException>[]) =>
  waivers([violation(one)], exceptions.map(exception), addressPattern).get("pres_1") ?? null;

describe("an exception", () => {
  test("covers violations of its set, its policy and its rule, at every level", () => {
    expect(waiverOf({}, {})).toBe("pexc_1");
    expect(waiverOf({ level: "ADVISORY" }, {})).toBe("pexc_1");
    expect(waiverOf({}, { rule: "owner" })).toBe("pexc_1");
    expect(waiverOf({}, { rule: "cost-center" })).toBeNull();
    expect(waiverOf({}, { policy: "buckets" })).toBeNull();
    expect(waiverOf({}, { setId: "pset_2" })).toBeNull();
    // A policy of the name `*` is no pattern.
    expect(waiverOf({}, { policy: "*" })).toBeNull();
  });

  test("covers a violation of several addresses only if all of them match", () => {
    const addresses = ["module.legacy.aws_instance.a", 'module.legacy["x/y"].aws_instance.b[0]'];
    expect(waiverOf({ addresses }, { addressGlob: "module.legacy*" })).toBe("pexc_1");
    expect(waiverOf({ addresses }, { addressGlob: "module.legacy.*" })).toBeNull();
    expect(waiverOf({ addresses: [...addresses, "aws_instance.c"] }, { addressGlob: "module.legacy*" })).toBeNull();
  });

  test("reads brackets, dots and quotes of addresses as they are", () => {
    const addresses = ["aws_instance.a[0]"];
    expect(waiverOf({ addresses }, { addressGlob: "aws_instance.a[0]" })).toBe("pexc_1");
    expect(waiverOf({ addresses }, { addressGlob: "aws_instance.a[*]" })).toBe("pexc_1");
    expect(waiverOf({ addresses: ["aws_instance.a0"] }, { addressGlob: "aws_instance.a[0]" })).toBeNull();
    expect(waiverOf({ addresses: ["aws_instanceXa"] }, { addressGlob: "aws_instance.a" })).toBeNull();
    expect(waiverOf({ addresses: ["my.aws_instance.a"] }, { addressGlob: "aws_instance.a" })).toBeNull();
    expect(waiverOf({ addresses: ["a\nb"] }, { addressGlob: "a*" })).toBe("pexc_1");
    expect(waiverOf({ addresses: ["a\\Eb"] }, { addressGlob: "a\\E*" })).toBe("pexc_1");
  });

  test("of some addresses does not cover a violation of the whole plan", () => {
    expect(waiverOf({ addresses: [] }, { addressGlob: "aws_*" })).toBeNull();
    expect(waiverOf({ addresses: [] }, {})).toBe("pexc_1");
  });

  test("covers neither an error, nor a demand for approvals, nor an external check", () => {
    expect(waiverOf({ status: "ERROR" }, {})).toBeNull();
    expect(waiverOf({ approvers: {} }, {})).toBeNull();
    expect(waiverOf({ source: "CHECK" }, {})).toBeNull();
  });

  test("is the first that covers", () => {
    expect(waiverOf({}, { id: "pexc_2", rule: "other" }, { id: "pexc_3" }, { id: "pexc_4" })).toBe("pexc_3");
    expect(waivers([], [exception()], addressPattern).size).toBe(0);
  });

  test("with many wildcards is matched in linear time", () => {
    const glob = `${"*a".repeat(40)}!`;
    expect(waiverOf({ addresses: ["a".repeat(5000)] }, { addressGlob: glob })).toBeNull();
  });

  test("ends at its time, unless it was rejected or revoked before", () => {
    const at = (state: PolicyException["state"], instant: string) => stateAt({ state, expiresAt: AT }, instant);
    expect(at("APPROVED", "2026-03-01T11:59:59.999Z")).toBe("APPROVED");
    expect(at("APPROVED", AT)).toBe("EXPIRED");
    expect(at("REQUESTED", AT)).toBe("EXPIRED");
    expect(at("REJECTED", AT)).toBe("REJECTED");
    expect(at("REVOKED", AT)).toBe("REVOKED");
  });

  test("knows its requester, those as whom it counted, and those who count as one of these", () => {
    const facts = { requestedById: "usr_ann", requesterCountsAs: "usr_boss" };
    const is = (actorId: string, countsAs = actorId) => isRequester(facts, { actorId, countsAs });
    expect(is("usr_ann")).toBe(true);
    expect(is("usr_boss")).toBe(true);
    expect(is("usr_new", "usr_boss")).toBe(true);
    expect(is("usr_new", "usr_ann")).toBe(true);
    expect(is("usr_bob")).toBe(false);
  });
});

test("an exception is shown with its state at the time", () => {
  expect(showException(exception(), new Date(AT))).toEqual({ ...exception(), shownState: "APPROVED" });
  expect(showException(exception({ expiresAt: AT }), new Date(AT)).shownState).toBe("EXPIRED");
});
