/** Tokens of other issuers are exchanged for those of machine users (RFC 8693). */
import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { retentionRound } from "../../../src/domain/retention/retention-round.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import { type BuiltInRole, builtInRoleId } from "../../../src/model/people/role.ts";
import type { Transaction } from "../../../src/persistence/database/database.ts";
import { lockTrustRule, markTrustRuleDeleted } from "../../../src/persistence/people/trust-rule-store.ts";
import { type Api, createApi, type Data } from "../../support/api.ts";
import { type InProcess, startInProcess } from "../../support/in-process.ts";
import { overlapping } from "../../support/overlapping.ts";
import { type OAuthAnswer, sendForm } from "../../support/program-steps.ts";
import { startTokenIssuer, type TokenIssuer } from "../../support/token-issuer.ts";
import { walk } from "../../support/walk.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
const JWT = "urn:ietf:params:oauth:token-type:jwt";
const AUDIENCE = "https://holdpoint.example.com";
const organizationId = DEFAULT_ORGANIZATION_ID;

let server: InProcess;
let ci: TokenIssuer;
beforeAll(async () => {
  server = await startInProcess();
  ci = await startTokenIssuer(server.deps.clock);
});
afterAll(async () => {
  await ci[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  ci.answer = null;
  server.notExchanged.length = 0;
});
afterEach(() => expect(server.reported.splice(0)).toEqual([]));

async function send(name: string, input: object, fields: string, api: Api = server.api): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const document = `mutation ($input: ${type}Input!) { ${name}(input: $input) { __typename
    ... on ${type}Success { ${fields} } ... on UserError { code message }
    ${name === "createTrustRule" ? "... on InvalidInputError { issues { path message } }" : ""} } }`;
  return (await api.ask(document, { input }))[name];
}

async function account(role?: BuiltInRole): Promise<string> {
  const { actor } = await send("createServiceAccount", { organizationId, name: "ci" }, "actor { id }");
  const grant = { principalId: actor.id, scopeId: organizationId, reason: "ci" };
  if (role !== undefined) await send("createGrant", { ...grant, roleId: builtInRoleId(role) }, "grant { id }");
  return actor.id;
}

/** A rule for a subject of its own. */
async function trust(more: object = {}, role: BuiltInRole = "READER") {
  const accountId = await account(role);
  const subject = `project:${randomUUID()}:main`;
  const rule = { serviceAccountId: accountId, issuer: ci.issuer, audience: AUDIENCE, subject, ...more };
  const made = await send("createTrustRule", rule, "trustRule { id }");
  if (made.code !== undefined) throw new Error(JSON.stringify(made));
  return { accountId, subject, ruleId: String(made.trustRule.id) };
}

const claimsOf = ({ subject }: { subject: string }) => ({ sub: subject, aud: AUDIENCE, jti: randomUUID() });

function exchange(subjectToken: string, more: Record<string, string> = {}): Promise<OAuthAnswer> {
  const fields = { grant_type: GRANT, subject_token: subjectToken, subject_token_type: JWT, ...more };
  return sendForm(`${server.url}/auth/token`, fields);
}

const GENERIC = {
  error: "invalid_request",
  error_description: expect.stringContaining("is not trusted here, was used before, or could not be verified"),
};

async function expectRefused(subjectToken: string, reason: RegExp, more?: Record<string, string>): Promise<void> {
  const { status, body } = await exchange(subjectToken, more);
  expect([status, body]).toEqual([400, GENERIC]);
  expect(server.notExchanged.at(-1)).toMatch(reason);
  // Neither the answer nor the log repeats the token.
  expect(JSON.stringify([body, server.notExchanged])).not.toContain(subjectToken.split(".").at(-1) || "no signature");
}

it("a token of the issuer becomes one of the machine user, for an hour at most", async () => {
  const rule = await trust();
  const { status, body, headers } = await exchange(await ci.sign(claimsOf(rule)));
  expect([status, headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(body).toEqual({
    access_token: expect.stringMatching(/^hpt_/),
    issued_token_type: "urn:ietf:params:oauth:token-type:access_token",
    token_type: "Bearer",
    expires_in: 3600,
  });
  const api = createApi(server.url, String(body["access_token"]));
  const { viewer } = await api.ask("{ viewer { isAdmin actor { __typename id } tokens { name } } }");
  expect(viewer).toMatchObject({ isAdmin: false, actor: { __typename: "MachineUser", id: rule.accountId } });
  expect(viewer.tokens[0].name).toMatch(/^127\.0\.0\.1:\d+ project:.* \(\w{6}\)$/);
  expect((await api.ask('{ organization(slug: "default") { name } }')).organization).not.toBeNull();
  server.advance(3600 * 1000 + 1000);
  expect((await api.send("{ viewer { isAdmin } }")).status).toBe(401);
});

it("the token makes no other that would outlive it, and gets no later end", async () => {
  const rule = await trust({}, "ADMIN");
  const { body } = await exchange(await ci.sign(claimsOf(rule)));
  const api = createApi(server.url, String(body["access_token"]));
  const own = { name: "longer", ownerId: rule.accountId };
  const [{ id, expiresAt }] = (await api.ask("{ viewer { tokens { id expiresAt } } }")).viewer.tokens;
  expect((await send("createToken", own, "secret", api)).code).toBe("FORBIDDEN");
  expect((await send("createToken", { ...own, expiresAt }, "secret", api)).code).toBe("FORBIDDEN");
  const later = new Date(Date.parse(expiresAt) + 3600 * 1000).toISOString();
  expect((await send("rotateToken", { tokenId: id, expiresAt: later }, "secret", api)).code).toBeOneOf([
    "FORBIDDEN",
    "INVALID_INPUT",
  ]);
  const { secret: longLived } = await send("createToken", own, "secret");
  const { viewer } = await createApi(server.url, longLived).ask("{ viewer { tokens { id name } } }");
  const other = viewer.tokens.find(({ name }: Data) => name === "longer").id;
  expect((await send("rotateToken", { tokenId: other }, "secret", api)).code).toBe("FORBIDDEN");
  // With a new secret it ends as it would have.
  const { secret } = await send("rotateToken", { tokenId: id }, "secret", api);
  server.advance(3600 * 1000 + 1000);
  for (const one of [secret, String(body["access_token"])]) {
    expect((await createApi(server.url, one).send("{ viewer { isAdmin } }")).status).toBe(401);
  }
});

it("the life of the token is that of the rule, and its permissions are those that were asked for", async () => {
  const rule = await trust({ maxSeconds: 60 }, "ADMIN");
  const { body } = await exchange(await ci.sign(claimsOf(rule)), { scope: "RUN_READ" });
  expect(body).toMatchObject({ expires_in: 60, scope: "RUN_READ" });
  const api = createApi(server.url, String(body["access_token"]));
  expect((await api.ask("{ viewer { tokens { permissions } } }")).viewer.tokens).toEqual([
    { permissions: ["RUN_READ"] },
  ]);
});

describe("a token of the issuer is refused", () => {
  it.each<[string, Record<string, unknown>, RegExp]>(
    walk(
      [
        ["for another audience", { aud: "https://other.example.com" }, /No trust rule covers/],
        ["without an audience", { aud: undefined }, /aud/],
        ["of another subject", { sub: "project:other:main" }, /No trust rule covers/],
        ["without a subject", { sub: undefined }, /sub/],
        ["that has expired", { exp: 1_000_000_000 }, /exp/],
        ["without an end", { exp: undefined }, /exp/],
        ["without a beginning", { iat: undefined }, /iat/],
        ["with an end that is no number", { exp: "never" }, /exp/],
      ],
      8,
    ),
  )("%s", async (_what, change, reason) => {
    const rule = await trust();
    await expectRefused(await ci.sign({ ...claimsOf(rule), ...change }), reason);
  });

  it("that is from ten minutes ahead, or not valid yet", async () => {
    const rule = await trust();
    const now = Math.floor(server.deps.clock().getTime() / 1000);
    await expectRefused(await ci.sign({ ...claimsOf(rule), iat: now + 600, exp: now + 900 }), /from the future/);
    await expectRefused(await ci.sign({ ...claimsOf(rule), nbf: now + 600 }), /nbf/);
    // Clocks differ a little.
    expect((await exchange(await ci.sign({ ...claimsOf(rule), iat: now + 30, nbf: now + 30 }))).status).toBe(200);
  });

  it("that is used a second time, also where its signature is written in another way", async () => {
    const rule = await trust();
    const once = await ci.sign(claimsOf(rule));
    expect((await exchange(once)).status).toBe(200);
    await expectRefused(once, /used before/);
    // Without an id all that is signed identifies it.
    const anonymous = await ci.sign({ ...claimsOf(rule), jti: undefined });
    expect((await exchange(anonymous)).status).toBe(200);
    await expectRefused(anonymous, /used before/);
    // Another one without an id is another token.
    const { subject } = rule;
    for (const jti of [undefined, ""]) {
      const another = await ci.sign({ sub: subject, aud: AUDIENCE, jti, word: randomUUID() });
      expect((await exchange(another)).status).toBe(200);
    }
    // The same id in another token.
    const { jti } = claimsOf(rule);
    expect((await exchange(await ci.sign({ ...claimsOf(rule), jti }))).status).toBe(200);
    await expectRefused(await ci.sign({ ...claimsOf(rule), jti, extra: 1 }), /used before/);
  });

  it("by all but one of those who send it at the same time", async () => {
    const rule = await trust();
    const token = await ci.sign(claimsOf(rule));
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(token)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("with a signature of none, by the public key as a secret, or by another key", async () => {
    const rule = await trust();
    const claims = claimsOf(rule);
    const good = await ci.sign(claims);
    const [, payload = "", signature = ""] = good.split(".");
    const headed = (header: object) => `${Buffer.from(JSON.stringify(header)).toString("base64url")}.${payload}.`;
    await expectRefused(headed({ alg: "none" }), /alg/i);
    await expectRefused(headed({ alg: "none", kid: "k0" }) + signature, /alg/i);
    const now = Math.floor(server.deps.clock().getTime() / 1000);
    const all = { iss: ci.issuer, iat: now, exp: now + 300, ...claims };
    for (const secret of [await exportSPKI(ci.publicKey), JSON.stringify(await exportJWK(ci.publicKey))]) {
      const symmetric = new SignJWT(all).setProtectedHeader({ alg: "HS256", kid: "k0" });
      await expectRefused(await symmetric.sign(Buffer.from(secret)), /alg/i);
    }
    const { privateKey, publicKey } = await generateKeyPair("RS256");
    const forged = (header: object) =>
      new SignJWT(all).setProtectedHeader({ alg: "RS256", ...header }).sign(privateKey);
    await expectRefused(await forged({ kid: "k0" }), /signature/);
    await expectRefused(await forged({ kid: "k0", jwk: await exportJWK(publicKey) }), /signature/);
    await expectRefused(await forged({ kid: "k0", jku: "https://evil.example.com/keys" }), /signature/);
    expect(ci.asked.every((path) => path.startsWith("/.well-known/") || path === "/keys")).toBe(true);
    expect((await exchange(good)).status).toBe(200);
  });

  it.each(["x", "a.b.c", "a.b.c.d.e", "hpt_x", "..", "{}", "e30.e30.e30", "a".repeat(20_000)])(
    "that is %j",
    async (token) => {
      const { status, body } = await exchange(token);
      expect([status, body["error"]]).toEqual([400, "invalid_request"]);
      expect(server.notExchanged).toEqual(["The token is no JWT with an issuer."]);
    },
  );

  it("that is missing, or of another type", async () => {
    const description = async (token: string, more?: Record<string, string>) =>
      (await exchange(token, more)).body["error_description"];
    expect(await description("")).toBe("The parameter subject_token is missing.");
    const types = "urn:ietf:params:oauth:token-type";
    expect(await description("x", { subject_token_type: `${types}:saml2` })).toBe(
      `The subject_token_type must be ${types}:jwt or ${types}:id_token.`,
    );
    expect(await description("x", { requested_token_type: `${types}:refresh_token` })).toBe(
      `The requested_token_type must be ${types}:access_token, or absent.`,
    );
    expect(server.notExchanged).toEqual([]);
    const rule = await trust();
    const named = { subject_token_type: `${types}:id_token`, requested_token_type: `${types}:access_token` };
    expect((await exchange(await ci.sign(claimsOf(rule)), named)).status).toBe(200);
  });

  it("whose issuer is longer than that of any rule, or has a sign that none can have", async () => {
    for (const iss of ["x".repeat(LIMITS.issuerLength + 1), "a\0b", 7]) {
      await expectRefused(await ci.sign({ sub: "a", aud: AUDIENCE, iss }), /^The token is no JWT with an issuer\.$/);
    }
    await expectRefused(
      await ci.sign({ sub: "a", aud: AUDIENCE, iss: "x".repeat(LIMITS.issuerLength) }),
      /^No trust rule names the issuer\.$/,
    );
  });

  it("that came before its rule was deleted, or its machine user disabled", async () => {
    const changes: ((tx: Transaction, rule: { ruleId: string; accountId: string }) => Promise<unknown>)[] = [
      (tx, { ruleId }) => markTrustRuleDeleted(tx, ruleId, server.deps.clock().toISOString()),
      (tx, { accountId }) =>
        tx.sql
          .updateTable("actor")
          .set({ disabled_at: server.deps.clock().toISOString() })
          .where("id", "=", accountId)
          .execute(),
    ];
    for (const change of changes) {
      const rule = await trust();
      const token = await ci.sign(claimsOf(rule));
      const begun = await overlapping(
        server.deps,
        ({ database }) =>
          database.transaction(async (tx) => {
            await lockTrustRule(tx, rule.ruleId);
            await change(tx, rule);
          }),
        () => exchange(token),
      );
      expect(begun).toMatchObject({ status: "fulfilled", value: { status: 400, body: GENERIC } });
      expect(server.notExchanged.at(-1)).toBe("The trust rule has just ended.");
    }
  });
});

it("only an issuer that a rule names is asked for its keys", async () => {
  await using stranger = await startTokenIssuer(server.deps.clock);
  await expectRefused(await stranger.sign({ sub: "a", aud: AUDIENCE }), /No trust rule names the issuer/);
  expect(stranger.asked).toEqual([]);
  // Nor is another one that describes itself as a known issuer.
  const rule = await trust();
  await expectRefused(await stranger.sign({ ...claimsOf(rule), iss: ci.issuer }), /./);
  expect(stranger.asked).toEqual([]);
});

describe("an issuer", () => {
  async function fresh() {
    const issuer = await startTokenIssuer(server.deps.clock);
    const rule = await trust({ issuer: issuer.issuer });
    return { issuer, token: () => issuer.sign(claimsOf(rule)), [Symbol.asyncDispose]: issuer[Symbol.asyncDispose] };
  }

  it("is asked once for many tokens, and again for a new key after a pause", async () => {
    await using one = await fresh();
    await Promise.all(Array.from({ length: 5 }, async () => exchange(await one.token())));
    expect(one.issuer.asked.toSorted()).toEqual(["/.well-known/openid-configuration", "/keys"]);
    await one.issuer.rotate();
    // The library measures its pause by the real clock: keys that are forgotten are asked for at once.
    server.advance(LIMITS.issuerKeysMs + 1000);
    expect((await exchange(await one.token())).status).toBe(200);
  });

  it("may end with a stroke, and is asked without a second one", async () => {
    const { issuer } = ci;
    ci.answer = (path, response) => {
      if (path !== "/.well-known/openid-configuration") return false;
      response.writeHead(200).end(JSON.stringify({ issuer: `${issuer}/`, jwks_uri: `${issuer}/keys` }));
      return true;
    };
    const rule = await trust({ issuer: `${issuer}/` });
    expect((await exchange(await ci.sign({ ...claimsOf(rule), iss: `${issuer}/` }))).status).toBe(200);
  });

  it("that does not describe itself is asked again after ten seconds", async () => {
    await using one = await fresh();
    one.issuer.answer = (_path, response) => {
      response.writeHead(503).end();
      return true;
    };
    await expectRefused(await one.token(), /status 503/);
    one.issuer.answer = null;
    server.advance(LIMITS.issuerRetryMs);
    expect((await exchange(await one.token())).status).toBe(200);
  });

  type Answer = (path: string, response: ServerResponse) => boolean;
  const ended =
    (answer: (response: ServerResponse) => void): Answer =>
    (_path, response) => {
      answer(response);
      return true;
    };

  it.each<[string, Answer, RegExp]>(
    walk(
      [
        [
          "that describes itself as another",
          (path, response) => answerOnce(path, response, { issuer: "https://other", jwks_uri: "https://other/k" }),
          /as another/,
        ],
        [
          "whose keys are elsewhere in the internal network",
          (path, response) => answerOnce(path, response, { jwks_uri: "http://10.0.0.1/keys" }),
          /not public/,
        ],
        [
          "whose keys are at no web address",
          (path, response) => answerOnce(path, response, { jwks_uri: "file:///etc/passwd" }),
          /https/,
        ],
        [
          "that redirects",
          ended((response) => void response.writeHead(302, { location: "http://169.254.169.254/" }).end()),
          /status 302/,
        ],
        ["that answers with an error", ended((response) => void response.writeHead(500).end()), /status 500/],
        ["that sends no JSON", ended((response) => void response.writeHead(200).end("<html>")), /JSON/],
        [
          "that sends too much",
          ended((response) => void response.writeHead(200).end(`"${"x".repeat(300_000)}"`)),
          /262144 bytes/,
        ],
        ["that breaks off", ended((response) => void response.destroy()), /./],
      ],
      2,
    ),
  )("%s gives nothing, and works again after a pause", async (_what, answer, reason) => {
    await using one = await fresh();
    one.issuer.answer = answer;
    await expectRefused(await one.token(), reason);
    const { length } = one.issuer.asked;
    one.issuer.answer = null;
    await expectRefused(await one.token(), reason);
    expect(one.issuer.asked).toHaveLength(length);
    server.advance(LIMITS.issuerKeysMs + 1000);
    expect((await exchange(await one.token())).status).toBe(200);
  });

  function answerOnce(path: string, response: ServerResponse, change: object): boolean {
    if (path !== "/.well-known/openid-configuration") return false;
    const port = response.socket?.localPort;
    response.writeHead(200).end(JSON.stringify({ issuer: `http://127.0.0.1:${port}`, ...change }));
    return true;
  }
});

describe("a trust rule", () => {
  it("looks at patterns of the subject and at claims", async () => {
    const word = randomUUID();
    const claims = [
      { name: "ref", value: "refs/heads/*" },
      { name: "run", value: "7" },
      { name: "groups", value: "deploy" },
    ];
    const rule = await trust({ subject: `repo:${word}/*:main`, claims });
    const good = { ref: "refs/heads/main", run: 7, groups: ["a", "deploy"] };
    const asked = { sub: `repo:${word}/infra:main`, aud: ["other", AUDIENCE] };
    const outcome = async (change: object) =>
      (await exchange(await ci.sign({ ...asked, ...good, ...change, jti: randomUUID() }))).status;
    expect(await outcome({})).toBe(200);
    for (const change of [
      { sub: `repo:${word}x/infra:main` },
      { sub: `repo:${word}/infra:main2` },
      { ref: "refs/tags/1" },
      { ref: undefined },
      { run: 8 },
      { groups: ["a"] },
      { groups: { 0: "deploy" } },
      { aud: ["other"] },
    ]) {
      expect([await outcome(change), JSON.stringify(change)]).toEqual([400, JSON.stringify(change)]);
    }
    const { node } = await server.api.ask(
      "query($id: ID!) { node(id: $id) { ... on MachineUser { trustRules { id issuer audience subject claims { name value } maxSeconds serviceAccount { id } } } } }",
      { id: rule.accountId },
    );
    expect(node.trustRules).toEqual([
      {
        id: rule.ruleId,
        issuer: ci.issuer,
        audience: AUDIENCE,
        subject: `repo:${word}/*:main`,
        claims: expect.arrayContaining(claims),
        maxSeconds: 3600,
        serviceAccount: { id: rule.accountId },
      },
    ]);
  });

  it("of two machine users for one token: the program names one", async () => {
    const one = await trust();
    const two = await trust({ subject: one.subject });
    const { status, body } = await exchange(await ci.sign(claimsOf(one)));
    expect([status, body["error"]]).toEqual([400, "invalid_target"]);
    for (const { accountId } of [one, two]) expect(body["error_description"]).toContain(accountId);
    expect(body["error_description"]).toMatch(/^Several .* Name one as audience: mch_\w+, mch_\w+\.$/);
    const named = await exchange(await ci.sign(claimsOf(one)), { audience: two.accountId });
    const api = createApi(server.url, String(named.body["access_token"]));
    expect((await api.ask("{ viewer { actor { id } } }")).viewer.actor.id).toBe(two.accountId);
    const stranger = await account();
    await expectRefused(await ci.sign(claimsOf(one)), /No trust rule covers/, { audience: stranger });
  });

  it("that is deleted gives nothing, and its tokens end at once", async () => {
    const rule = await trust();
    const { body } = await exchange(await ci.sign(claimsOf(rule)));
    const api = createApi(server.url, String(body["access_token"]));
    expect((await api.send("{ viewer { isAdmin } }")).status).toBe(200);
    const deleted = await send("deleteTrustRule", { trustRuleId: rule.ruleId }, "deletedId");
    expect(deleted).toMatchObject({ __typename: "DeleteTrustRuleSuccess", deletedId: rule.ruleId });
    expect((await api.send("{ viewer { isAdmin } }")).status).toBe(401);
    await expectRefused(await ci.sign(claimsOf(rule)), /No trust rule/);
    expect((await send("deleteTrustRule", { trustRuleId: rule.ruleId }, "deletedId")).code).toBe("NOT_FOUND");
  });

  it("of a machine user that is disabled gives nothing", async () => {
    const rule = await trust();
    await send("disableUser", { userId: rule.accountId }, "actor { id }");
    await expectRefused(await ci.sign(claimsOf(rule)), /No trust rule/);
  });

  it("and its tokens leave the tables a day after their end", async () => {
    const rule = await trust({ maxSeconds: 60 });
    await exchange(await ci.sign(claimsOf(rule)));
    const stored = () =>
      server.deps.database.sql.selectFrom("token").select("id").where("trust_rule_id", "=", rule.ruleId).execute();
    const sweep = () => retentionRound(server.deps, () => undefined);
    server.advance(LIMITS.programKeptMs + 50_000);
    await sweep();
    expect(await stored()).toHaveLength(1);
    server.advance(11_000);
    await sweep();
    expect(await stored()).toEqual([]);
  });
});

describe("createTrustRule", () => {
  const GITHUB = "https://token.actions.githubusercontent.com";
  const issuesOf = (made: Data) => made.issues?.map(({ path }: Data) => path.join("."));

  async function attempt(more: object, api?: Api): Promise<Data> {
    const rule = {
      issuer: "https://ci.example.com",
      audience: AUDIENCE,
      subject: "main",
      serviceAccountId: await account(),
    };
    return send("createTrustRule", { ...rule, ...more }, "trustRule { id }", api);
  }

  it.each<[object, string]>([
    [{ issuer: "" }, "issuer"],
    [{ issuer: "ci.example.com" }, "issuer"],
    [{ issuer: "http://ci.example.com" }, "issuer"],
    [{ issuer: "ftp://ci.example.com" }, "issuer"],
    [{ issuer: "https://user:pass@ci.example.com" }, "issuer"],
    [{ issuer: "https://:pass@ci.example.com" }, "issuer"],
    [{ issuer: "https://ci.example.com/?a=b" }, "issuer"],
    [{ issuer: "https://ci.example.com/#a" }, "issuer"],
    [{ issuer: "https://ci.example.com\n" }, "issuer"],
    [{ issuer: `https://ci.example.com/${"x".repeat(500)}` }, "issuer"],
    [{ issuer: "https://10.0.0.1" }, "issuer"],
    [{ issuer: "https://169.254.169.254" }, "issuer"],
    [{ issuer: "https://[::1]" }, "issuer"],
    [{ issuer: "https://0x7f000002/" }, "issuer"],
    [{ audience: "" }, "audience"],
    [{ audience: " x" }, "audience"],
    [{ audience: "x".repeat(501) }, "audience"],
    [{ subject: "" }, "subject"],
    [{ subject: "  " }, "subject"],
    [{ subject: "a\0" }, "subject"],
    [{ subject: "*".repeat(11) }, "subject"],
    [{ subject: "x".repeat(501) }, "subject"],
    [{ claims: [{ name: "", value: "x" }] }, "claims.0.name"],
    [{ claims: [{ name: "sub", value: "x" }] }, "claims.0.name"],
    [{ claims: [{ name: "a", value: "" }] }, "claims.0.value"],
    [
      {
        claims: [
          { name: "a", value: "x" },
          { name: "a", value: "y" },
        ],
      },
      "claims.1.name",
    ],
    [{ claims: Array.from({ length: 21 }, (_, index) => ({ name: `c${index}`, value: "x" })) }, "claims"],
    [{ maxSeconds: 59 }, "maxSeconds"],
    [{ maxSeconds: 3601 }, "maxSeconds"],
    [{ issuer: GITHUB, subject: "*" }, "subject"],
    [{ issuer: GITHUB, subject: "repo:*" }, "subject"],
    [{ issuer: GITHUB, subject: "repo:acme*" }, "subject"],
    [{ issuer: `${GITHUB}/`, subject: "*" }, "subject"],
    [{ issuer: GITHUB, subject: "*", claims: [{ name: "repository_owner", value: "*" }] }, "subject"],
    [{ issuer: GITHUB, subject: "*", claims: [{ name: "ref", value: "refs/heads/main" }] }, "subject"],
    [{ issuer: "https://gitlab.com", subject: "project_path:*" }, "subject"],
    [{ issuer: "https://app.terraform.io", subject: "organization:*" }, "subject"],
    [{ issuer: "https://agent.buildkite.com", subject: "*" }, "subject"],
    [{ issuer: "https://accounts.google.com", subject: "1*" }, "subject"],
  ])("%j is refused at %s", async (more, path) => {
    const made = await attempt(more);
    expect([made.code, issuesOf(made)]).toEqual(["INVALID_INPUT", [path]]);
  });

  it.each<object>([
    { issuer: GITHUB, subject: "repo:acme/infra:ref:refs/heads/main" },
    { issuer: GITHUB, subject: "repo:acme/*" },
    { issuer: GITHUB, subject: "*", claims: [{ name: "repository_owner_id", value: "1234" }] },
    { issuer: "https://gitlab.com", subject: "project_path:acme/infra:*" },
    { issuer: "https://gitlab.example.com", subject: "*" },
    { issuer: "https://accounts.google.com", subject: "104817365920471936582" },
  ])("%j is accepted", async (more) => {
    expect((await attempt(more)).__typename).toBe("CreateTrustRuleSuccess");
  });

  it("takes texts of 500 characters and patterns of ten stars", async () => {
    const text = "x".repeat(LIMITS.claimLength);
    const issuer = `https://ci.example.com/${"x".repeat(LIMITS.issuerLength)}`.slice(0, LIMITS.issuerLength);
    const claims = Array.from({ length: LIMITS.claimsPerTrustRule }, (_, index) => ({
      name: `c${index}`,
      value: text,
    }));
    const rule = { issuer, audience: text, subject: "a*".repeat(LIMITS.starsPerPattern), claims, maxSeconds: 60 };
    expect((await attempt(rule)).__typename).toBe("CreateTrustRuleSuccess");
  });

  it.each([
    [
      { issuer: "x" },
      "must be the iss of the tokens, an https address such as https://token.actions.githubusercontent.com.",
    ],
    [{ issuer: "https://10.0.0.1" }, "must not be an internal address, unless HOLDPOINT_ISSUER_ALLOW names it."],
    [{ audience: "" }, "must have 1 to 500 characters, without white space around them."],
    [{ subject: "*".repeat(11) }, "must have at most 10 *."],
    [{ maxSeconds: 1 }, "must be from 60 to 3600."],
    [{ claims: Array.from({ length: 21 }, (_, index) => ({ name: `c${index}`, value: "x" })) }, "must be at most 20."],
    [
      { claims: [{ name: "iss", value: "x" }] },
      "must be a claim beside iss, sub, aud, exp, nbf, iat and jti, named once.",
    ],
  ])("says what would be right instead of %j", async (more, message) => {
    expect((await attempt(more)).issues.map((issue: Data) => issue.message)).toEqual([message]);
  });

  it("has a limit for each machine user", async () => {
    const serviceAccountId = await account();
    for (let count = 0; count < LIMITS.trustRulesPerAccount; count += 1) await attempt({ serviceAccountId });
    expect((await attempt({ serviceAccountId })).issues).toEqual([
      {
        path: ["serviceAccountId"],
        message: `has ${LIMITS.trustRulesPerAccount} trust rules, which is the limit.`,
      },
    ]);
  });

  it("is for those who may make tokens there, and have what the machine user has", async () => {
    const as = async (role: BuiltInRole) => {
      const { secret } = await send("createToken", { name: "t", ownerId: await account(role) }, "secret");
      return createApi(server.url, secret);
    };
    expect((await attempt({}, await as("READER"))).code).toBe("FORBIDDEN");
    expect((await attempt({}, await as("AUDITOR"))).code).toBe("FORBIDDEN");
    expect((await attempt({}, await as("ADMIN"))).__typename).toBe("CreateTrustRuleSuccess");
    const bound = { name: "bound", ownerId: await account("ADMIN"), networks: ["127.0.0.0/8"] };
    const { secret: boundSecret } = await send("createToken", bound, "secret");
    const elsewhere = await attempt({}, createApi(server.url, boundSecret));
    expect([elsewhere.code, elsewhere.message]).toEqual(["FORBIDDEN", expect.stringContaining("bound to networks")]);
    // One who may make tokens, and nothing else.
    const role = { organizationId, name: "tokens", permissions: ["TOKEN_WRITE", "MEMBER_READ", "ORGANIZATION_READ"] };
    const { role: made } = await send("createRole", role, "role { id }");
    const keeper = await account();
    await send("createGrant", { principalId: keeper, roleId: made.id, scopeId: organizationId }, "grant { id }");
    const { secret } = await send("createToken", { name: "t", ownerId: keeper }, "secret");
    const api = createApi(server.url, secret);
    expect((await attempt({}, api)).__typename).toBe("CreateTrustRuleSuccess");
    const strong = { serviceAccountId: await account("WRITER") };
    const refused = await attempt(strong, api);
    expect([refused.code, refused.message]).toEqual([
      "FORBIDDEN",
      expect.stringContaining("permissions that you do not have"),
    ]);
  });

  it("and deleteTrustRule give one answer for what is hidden and what is absent", async () => {
    const { ruleId, accountId } = await trust();
    const { organization } = await send(
      "createOrganization",
      { slug: `o-${randomUUID().slice(0, 8)}`, name: "Other" },
      "organization { id }",
    );
    const { actor } = await send(
      "createServiceAccount",
      { organizationId: organization.id, name: "m" },
      "actor { id }",
    );
    const grant = { principalId: actor.id, roleId: builtInRoleId("ADMIN"), scopeId: organization.id };
    await send("createGrant", grant, "grant { id }");
    const { secret } = await send("createToken", { name: "t", ownerId: actor.id }, "secret");
    const api = createApi(server.url, secret);
    const absent = "0000000000000000000000zzzz";
    const created = await attempt({ serviceAccountId: accountId }, api);
    expect(created).toEqual(await attempt({ serviceAccountId: `mch_${absent}` }, api));
    expect(created.code).toBe("NOT_FOUND");
    const remove = (trustRuleId: string) => send("deleteTrustRule", { trustRuleId }, "deletedId", api);
    expect(await remove(ruleId)).toEqual(await remove(`trust_${absent}`));
    const query = "query($id: ID!) { node(id: $id) { id } }";
    expect((await api.ask(query, { id: ruleId })).node).toBeNull();
    expect((await server.api.ask(query, { id: ruleId })).node).toEqual({ id: ruleId });
    for (const wrong of ["usr_00000000000000000000000000", "x", ruleId]) {
      expect((await attempt({ serviceAccountId: wrong })).code).toBe("NOT_FOUND");
    }
  });
});
