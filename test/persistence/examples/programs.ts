import * as requests from "../../../src/persistence/people/program-request-store.ts";
import * as rules from "../../../src/persistence/people/trust-rule-store.ts";
import { insertServiceAccount } from "../../../src/persistence/people/actor-store.ts";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID } from "../../../src/model/people/actor.ts";
import { exampleStore, LATER } from "./world.ts";

const HASH = Buffer.alloc(32, 7);
const OTHER_HASH = Buffer.alloc(32, 8);

export const PROGRAM_STORES = {
  "program-request-store": exampleStore(requests, ({ tx, at }) => {
    const facts = { client: "terraform-cli", address: "192.0.2.1", pollMs: 5000, createdAt: at, expiresAt: LATER };
    const device = { ...facts, secretHash: HASH, permissions: ["RUN_READ"], answer: { userCodeMac: HASH } } as const;
    const redirect = { redirectUri: "http://localhost:10000/login", challenge: "x", actorId: ADMIN_ACTOR_ID };
    return {
      insertProgramRequest: () => requests.insertProgramRequest(tx, device),
      "insertProgramRequest: allowed in the browser": () =>
        requests.insertProgramRequest(tx, { ...facts, secretHash: OTHER_HASH, permissions: null, answer: redirect }),
      findOpenProgramRequest: () => requests.findOpenProgramRequest(tx, HASH, at),
      lockProgramRequest: () => requests.lockProgramRequest(tx, HASH),
      notePoll: () => requests.notePoll(tx, HASH, { at, pollMs: 10_000 }),
      decideProgramRequest: () =>
        requests.decideProgramRequest(tx, HASH, { actorId: ADMIN_ACTOR_ID, decision: "ALLOWED", at }),
      noteProgramToken: () => requests.noteProgramToken(tx, HASH, "tok_x"),
      removeProgramRequests: () => requests.removeProgramRequests(tx, at, 10),
    };
  }),
  "trust-rule-store": exampleStore(rules, ({ tx, at, id, prepare, workspace: { organizationId } }) => {
    const account = { id: id("machineUser"), kind: "MACHINE", name: "ci" } as const;
    const facts = { issuer: "https://ci.example.com", audience: "holdpoint", subject: "main", claims: { ref: "main" } };
    const owner = { actorId: account.id, organizationId };
    const rule = { id: id("trustRule"), ...owner, ...facts, maxSeconds: 3600, createdAt: at };
    const asked = { issuer: rule.issuer, audiences: ["holdpoint"], actorId: null };
    return {
      lockServiceAccount: async () => {
        await prepare(insertServiceAccount(tx, account, organizationId, at));
        return rules.lockServiceAccount(tx, account.id);
      },
      insertTrustRule: () => rules.insertTrustRule(tx, rule),
      lockTrustRule: () => rules.lockTrustRule(tx, rule.id),
      findTrustRules: () => rules.findTrustRules(tx, [rule.id]),
      listTrustRules: () => rules.listTrustRules(tx, [account.id]),
      isIssuerTrusted: () => rules.isIssuerTrusted(tx, rule.issuer),
      listTrustRulesOfIssuer: () => rules.listTrustRulesOfIssuer(tx, asked, 10),
      "listTrustRulesOfIssuer: of a machine user": () =>
        rules.listTrustRulesOfIssuer(tx, { ...asked, actorId: account.id }, 10),
      noteTrustRule: () => rules.noteTrustRule(tx, ADMIN_TOKEN_ID, rule.id),
      isExchangedToken: () => rules.isExchangedToken(tx, ADMIN_TOKEN_ID),
      revokeTokensOfTrustRule: () => rules.revokeTokensOfTrustRule(tx, rule.id, at),
      markTrustRuleDeleted: () => rules.markTrustRuleDeleted(tx, rule.id, at),
      removeExchangedTokens: () => rules.removeExchangedTokens(tx, at, 10),
    };
  }),
};
