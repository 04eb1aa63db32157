/** Commands about the trust rules of machine users. */
import { idKind } from "../../model/kit/id.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField, UserError } from "../../model/kit/user-error.ts";
import type { ActorCaller } from "../../model/people/permission.ts";
import { strangersTrusted, type TrustRule, trustRulePlace } from "../../model/people/trust-rule.ts";
import type { Transaction } from "../../persistence/database/database.ts";
import {
  insertTrustRule,
  listTrustRules,
  lockServiceAccount,
  lockTrustRule,
  markTrustRuleDeleted,
  revokeTokensOfTrustRule,
} from "../../persistence/people/trust-rule-store.ts";
import { requireGrantsOf } from "../access/attenuation.ts";
import { command } from "../access/command.ts";
import type { Commands } from "../kit/bind-commands.ts";
import type { Deps } from "../kit/deps.ts";
import { type InputCheck, isStorable } from "../kit/input.ts";
import { isRefusedLiteral, targetOf } from "../../network/address-guard.ts";

export interface CreateTrustRuleInput {
  serviceAccountId: string;
  issuer: string;
  audience: string;
  subject: string;
  claims: readonly { name: string; value: string }[];
  maxSeconds: number;
}

/**
 * Lets tokens of another issuer be exchanged for tokens of a machine user. The caller must have itself what the machine
 * user was granted.
 */
function createTrustRule(deps: Deps, caller: ActorCaller, input: CreateTrustRuleInput): Promise<TrustRule> {
  const { serviceAccountId, issuer, audience, subject, maxSeconds } = input;
  const spec = {
    name: "createTrustRule",
    presence: "ALWAYS",
    subjectId: serviceAccountId,
    noun: "machine user",
    find: async (tx: Transaction) =>
      idKind(serviceAccountId) === "machineUser" ? lockServiceAccount(tx, serviceAccountId) : null,
    placeOf: trustRulePlace,
    sight: "MEMBER_READ",
    permission: "TOKEN_WRITE",
    words: "trusting tokens of another issuer",
    check: (check: InputCheck) => {
      checkIssuer(check, issuer, deps);
      checkText(check, "audience", audience);
      checkPattern(check, "subject", subject);
      checkClaims(check, input.claims);
      const { least, most } = LIMITS.trustRuleSeconds;
      check.require(maxSeconds >= least && maxSeconds <= most, "maxSeconds", `must be from ${least} to ${most}.`);
    },
  } as const;
  return command(deps, caller, spec, async (tx, { actor, organizationId }) => {
    const claims = Object.fromEntries(input.claims.map(({ name, value }) => [name, value]));
    const problem = strangersTrusted({ issuer, subject, claims });
    if (problem !== null) throw invalidField("subject", problem);
    // The tokens of a rule may be used from anywhere.
    if ((caller.networks ?? []).length > 0) {
      throw new UserError("FORBIDDEN", "A token that is bound to networks cannot create trust rules. Use another one.");
    }
    await requireGrantsOf(tx, deps, caller, actor.id);
    const [others = []] = await listTrustRules(tx, [actor.id]);
    if (others.length >= LIMITS.trustRulesPerAccount) {
      throw invalidField("serviceAccountId", `has ${LIMITS.trustRulesPerAccount} trust rules, which is the limit.`);
    }
    const createdAt = deps.clock().toISOString();
    const facts = { issuer, audience, subject, claims, maxSeconds, createdAt };
    const rule = { id: deps.newId("trustRule"), actorId: actor.id, organizationId, ...facts };
    await insertTrustRule(tx, rule);
    return rule;
  });
}

/** Deletes a trust rule. The tokens that it gave end with it. */
function deleteTrustRule(deps: Deps, caller: ActorCaller, input: { trustRuleId: string }): Promise<string> {
  const { trustRuleId } = input;
  const spec = {
    name: "deleteTrustRule",
    presence: "ALWAYS",
    subjectId: trustRuleId,
    noun: "trust rule",
    find: async (tx: Transaction) => (idKind(trustRuleId) === "trustRule" ? lockTrustRule(tx, trustRuleId) : null),
    placeOf: trustRulePlace,
    sight: "MEMBER_READ",
    permission: "TOKEN_WRITE",
    words: "deleting trust rules",
  } as const;
  return command(deps, caller, spec, async (tx) => {
    const at = deps.clock().toISOString();
    await markTrustRuleDeleted(tx, trustRuleId, at);
    for (const id of await revokeTokensOfTrustRule(tx, trustRuleId, at)) tx.announce(`token:${id}`);
    return trustRuleId;
  });
}

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** The issuer is compared as it is written, and asked for its keys: over TLS, so that no one on the way gives others. */
function checkIssuer(check: InputCheck, text: string, { issuerAllow }: Pick<Deps, "issuerAllow">): void {
  const url = URL.parse(text);
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
  const isPlain = url !== null && url.search === "" && url.hash === "" && url.username === "" && url.password === "";
  if (!isSafe || !isPlain || text.length > LIMITS.issuerLength || !/^[\x21-\x7e]+$/.test(text)) {
    const example = "https://token.actions.githubusercontent.com";
    return check.refuse("issuer", `must be the iss of the tokens, an https address such as ${example}.`);
  }
  if (isRefusedLiteral(targetOf(url), issuerAllow)) {
    check.refuse("issuer", "must not be an internal address, unless HOLDPOINT_ISSUER_ALLOW names it.");
  }
}

function checkText(check: InputCheck, path: string, text: string): void {
  const ok = text.trim() === text && text !== "" && text.length <= LIMITS.claimLength && isStorable(text);
  check.require(ok, path, `must have 1 to ${LIMITS.claimLength} characters, without white space around them.`);
}

function checkPattern(check: InputCheck, path: string, pattern: string): void {
  checkText(check, path, pattern);
  check.require(
    pattern.split("*").length <= LIMITS.starsPerPattern + 1,
    path,
    `must have at most ${LIMITS.starsPerPattern} *.`,
  );
}

/** Claims that every rule, or the verification of a token, checks already. */
const CHECKED = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]);

function checkClaims(check: InputCheck, claims: CreateTrustRuleInput["claims"]): void {
  const most = LIMITS.claimsPerTrustRule;
  check.require(claims.length <= most, "claims", `must be at most ${most}.`);
  for (const [index, { name, value }] of claims.entries()) {
    checkText(check, `claims.${index}.name`, name);
    checkPattern(check, `claims.${index}.value`, value);
    const isFree = !CHECKED.has(name) && claims.findIndex((other) => other.name === name) === index;
    check.require(
      isFree,
      `claims.${index}.name`,
      "must be a claim beside iss, sub, aud, exp, nbf, iat and jti, named once.",
    );
  }
}

const ERRORS = ["INVALID_INPUT", "NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] as const;

/** The commands about trust rules, by name. */
export const TRUST_RULE_COMMANDS = {
  createTrustRule: { run: createTrustRule, errors: ERRORS },
  deleteTrustRule: { run: deleteTrustRule, errors: ["NOT_FOUND", "FORBIDDEN", "REAUTHENTICATION_REQUIRED"] },
} as const satisfies Commands;
