/** Tokens of other issuers: each that is not to be trusted is refused, by its reason in the log. */
import { randomUUID } from "node:crypto";
import { createTokenExchange } from "../../src/domain/programs/token-exchange.ts";
import { DEFAULT_ORGANIZATION_ID } from "../../src/model/people/actor.ts";
import { generateKeyPair, SignJWT } from "jose";
import type { Data } from "../support/api.ts";
import type { InProcess } from "../support/in-process.ts";
import { sendForm } from "../support/program-steps.ts";
import { startTokenIssuer, type TokenIssuer } from "../support/token-issuer.ts";
import type { Probe } from "./walk-scene.ts";

const GRANT = "urn:ietf:params:oauth:grant-type:token-exchange";
const TYPE = "urn:ietf:params:oauth:token-type:";
const AUDIENCE = "https://holdpoint.example.com";
const organizationId = DEFAULT_ORGANIZATION_ID;

interface Rule {
  subject: string;
  accountId: string;
}

export async function exchangeProbes(server: InProcess, ci: TokenIssuer): Promise<Probe[]> {
  const make = async (name: string, input: object, fields: string): Promise<Data> => {
    const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
    const document = `mutation ($input: ${type}Input!) { made: ${name}(input: $input) { ... on ${type}Success { ${fields} }
      ... on UserError { code message } } }`;
    return (await server.api.ask(document, { input })).made;
  };
  const trust = async (subject = `project:${randomUUID()}`, issuer = ci.issuer): Promise<Rule> => {
    const { actor } = await make("createServiceAccount", { organizationId, name: "ci" }, "actor { id }");
    const rule = { serviceAccountId: actor.id, issuer, audience: AUDIENCE, subject };
    await make("createTrustRule", rule, "trustRule { id }");
    return { subject, accountId: actor.id };
  };
  const claimsOf = ({ subject }: Rule) => ({ sub: subject, aud: AUDIENCE, jti: randomUUID() });
  const exchange = async (token: string, more: Record<string, string> = {}): Promise<string> => {
    // Addresses are limited by the minute.
    server.advance(60_000);
    server.notExchanged.length = 0;
    const form = { grant_type: GRANT, subject_token: token, subject_token_type: `${TYPE}jwt`, ...more };
    const { status, body } = await sendForm(`${server.url}/auth/token`, form);
    return `${status} ${typeof body["error"] === "string" ? body["error"] : "token"} ${server.notExchanged.join()}`;
  };
  const probe = (name: string, wanted: RegExp, take: () => Promise<string>): Probe => ({
    name: `exchange ${name}`,
    async run() {
      const found = await take();
      return wanted.test(found) ? null : `${found} instead of ${wanted.source}`;
    },
  });
  const refusedFor = (name: string, reason: RegExp, change: (now: number) => object): Probe =>
    probe(name, reason, async () => {
      const now = Math.floor(server.deps.clock().getTime() / 1000) + 60;
      return exchange(await ci.sign({ ...claimsOf(await trust()), ...change(now) }));
    });
  return [
    probe("of a token that is trusted", /^200 token $/, async () => exchange(await ci.sign(claimsOf(await trust())))),
    probe("of what is no token", /no JWT/, () => exchange("a.b.c")),
    refusedFor("without an issuer", /no JWT/, () => ({ iss: undefined })),
    refusedFor("with an issuer that is no text", /no JWT/, () => ({ iss: 7 })),
    refusedFor("with an issuer that is too long", /no JWT/, () => ({ iss: `https://${"a".repeat(5000)}` })),
    refusedFor("with an issuer that cannot be stored", /no JWT/, () => ({ iss: "https://a\0" })),
    refusedFor("of an unknown issuer", /No trust rule names/, () => ({ iss: "https://127.0.0.1:1" })),
    refusedFor("of another subject", /No trust rule covers/, () => ({ sub: "project:other" })),
    refusedFor("for another audience", /No trust rule covers/, () => ({ aud: "https://other.example.com" })),
    refusedFor("from the future", /from the future/, (now) => ({ iat: now + 600, exp: now + 900 })),
    refusedFor("that has expired", /exp/, () => ({ exp: 1_000_000_000 })),
    probe("with another signature", /signature/, async () => {
      const { privateKey } = await generateKeyPair("RS256");
      const now = Math.floor(server.deps.clock().getTime() / 1000) + 60;
      const claims = { iss: ci.issuer, iat: now, exp: now + 300, ...claimsOf(await trust()) };
      return exchange(await new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k0" }).sign(privateKey));
    }),
    probe("for the second time", /^200 token ;400 invalid_request .*used before/, async () => {
      const token = await ci.sign(claimsOf(await trust()));
      return `${await exchange(token)};${await exchange(token)}`;
    }),
    probe("by two machine users", /^400 invalid_target/, async () => {
      const rule = await trust();
      await trust(rule.subject);
      return exchange(await ci.sign(claimsOf(rule)));
    }),
    ...(["trust_rule", "actor"] as const).map((table) =>
      probe(`by a ${table} that ends meanwhile`, /just ended/, async () =>
        exchangeWhile(server, ci, await trust(), table),
      ),
    ),
    probe("of another kind of token", /^400 invalid_request/, async () =>
      exchange(await ci.sign(claimsOf(await trust())), { subject_token_type: `${TYPE}saml2` }),
    ),
    probe("for another kind of token", /^400 invalid_request/, async () =>
      exchange(await ci.sign(claimsOf(await trust())), { requested_token_type: `${TYPE}jwt` }),
    ),
    ...issuerProbes(server, trust, { exchange, probe, claimsOf }),
  ];
}

interface Tools {
  exchange: (token: string) => Promise<string>;
  probe: (name: string, wanted: RegExp, take: () => Promise<string>) => Probe;
  claimsOf: (rule: Rule) => Record<string, unknown>;
}

/** Issuers that lie about themselves. */
function issuerProbes(
  { deps }: InProcess,
  trust: (subject?: string, issuer?: string) => Promise<Rule>,
  { exchange, probe, claimsOf }: Tools,
): Probe[] {
  const lyingWith = async (describe: (issuer: string) => object): Promise<string> => {
    await using issuer = await startTokenIssuer(deps.clock);
    issuer.answer = (path, response) => {
      if (path !== "/.well-known/openid-configuration") return false;
      response.writeHead(200).end(JSON.stringify(describe(issuer.issuer)));
      return true;
    };
    return await exchange(await issuer.sign(claimsOf(await trust(undefined, issuer.issuer))));
  };
  return [
    probe("by an issuer that describes itself as another", /as another/, () =>
      lyingWith((issuer) => ({ issuer: "https://other.example.com", jwks_uri: `${issuer}/keys` })),
    ),
    probe("by an issuer whose keys are at no web address", /https address/, () =>
      lyingWith((issuer) => ({ issuer, jwks_uri: "ftp://127.0.0.1/keys" })),
    ),
    probe("by an issuer that is asked once", /^2$/, async () => {
      await using issuer = await startTokenIssuer(deps.clock);
      const token = async () => issuer.sign(claimsOf(await trust(undefined, issuer.issuer)));
      await exchange(await token());
      await exchange(await token());
      return `${issuer.asked.length}`;
    }),
  ];
}

/** The exchange alone, with a transaction that begins after the rule was deleted, or its machine user was disabled. */
async function exchangeWhile(
  { deps }: InProcess,
  ci: TokenIssuer,
  { subject, accountId }: Rule,
  ends: "trust_rule" | "actor",
): Promise<string> {
  const { sql } = deps.database;
  const transaction: typeof deps.database.transaction = async (...asked) => {
    const at = deps.clock().toISOString();
    if (ends === "actor") await sql.updateTable("actor").set({ disabled_at: at }).where("id", "=", accountId).execute();
    else await sql.updateTable("trust_rule").set({ deleted_at: at }).where("actor_id", "=", accountId).execute();
    return deps.database.transaction(...asked);
  };
  const exchange = createTokenExchange({ ...deps, database: { ...deps.database, transaction } });
  const subjectToken = await ci.sign({ sub: subject, aud: AUDIENCE, jti: randomUUID() });
  return JSON.stringify(await exchange({ subjectToken, actorId: null, permissions: null }));
}
