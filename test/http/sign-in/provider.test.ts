import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openSignInScene, SESSION_COOKIE, SITE, type SignInScene } from "../../support/sign-in.ts";

let scene: SignInScene;
beforeAll(async () => {
  scene = await openSignInScene({ adminGroup: "platform" });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => {
  expect(scene.server.reported.splice(0)).toEqual([]);
  scene.refusals.length = 0;
});

const WHO = "{ viewer { isAdmin credential actor { id name } sessions { id current method userAgent } } }";
let made = 0;

/** A person that the provider knows, and a browser in which it is signed in. */
async function signedIn(claims: Record<string, unknown> = {}) {
  made += 1;
  const name = `person-${made}`;
  scene.provider.people.set(name, { name: `Person ${made}`, email: `${name}@example.com`, ...claims });
  const browser = scene.browser();
  const visit = await scene.signIn(browser, name);
  return { name, browser, visit };
}

describe("a first sign-in", () => {
  it("makes a person without rights, and a session in a cookie that scripts cannot read", async () => {
    const name = "ann";
    scene.provider.people.set(name, { name: "Ann", email: "ann@example.com" });
    const browser = scene.browser();
    const back = await scene.signIn(browser, name, (url) => url.startsWith(`${SITE}/graphql`));

    const cookies = back.headers.getSetCookie();
    expect(cookies.find((line) => line.startsWith(`${SESSION_COOKIE}=hps_`))).toMatch(
      /^holdpoint=hps_[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/,
    );
    const { data } = await scene.ask(browser, WHO);
    expect(data.viewer).toEqual({
      isAdmin: false,
      credential: "SESSION",
      actor: { id: expect.stringMatching(/^usr_/), name: "Ann" },
      sessions: [{ id: expect.stringMatching(/^sess_/), current: true, method: "OIDC", userAgent: "node" }],
    });
    expect((await scene.ask(browser, "{ organizations(first: 5) { edges { node { id } } } }")).data).toEqual({
      organizations: { edges: [] },
    });
  });

  it("is another person where the address is that of somebody else", async () => {
    const first = await signedIn({ email: "same@example.com" });
    const second = await signedIn({ email: "same@example.com" });
    const ids = await Promise.all(
      [first, second].map(async ({ browser }) => (await scene.ask(browser, WHO)).data.viewer.actor.id),
    );
    expect(new Set(ids).size).toBe(2);
  });

  it("gives the same person at the second one, with the name of now", async () => {
    const { name, browser } = await signedIn();
    const before = (await scene.ask(browser, WHO)).data.viewer.actor;
    scene.provider.people.set(name, { name: "Renamed" });
    const other = scene.browser();
    await scene.signIn(other, name);
    expect((await scene.ask(other, WHO)).data.viewer.actor).toEqual({ id: before.id, name: "Renamed" });
  });

  it("returns to the page that was asked for", async () => {
    scene.provider.people.set("returning", {});
    const browser = scene.browser();
    const asked = await scene.toProvider(browser, "?return=%2Fgraphql%3Fquery%3D%7Ba%7D");
    const visit = await browser.submit(asked, { login: "returning", password: "any" }, (url) =>
      url.startsWith(`${SITE}/graphql`),
    );
    expect(visit.url).toBe(`${SITE}/graphql?query={a}`);
  });
});

describe("groups", () => {
  const TEAMS =
    "query($id: ID!) { node(id: $id) { ... on Organization { teams { id members { actor { id } source lapsesAt } } } } }";

  async function teamOf(group: string): Promise<{ organizationId: string; teamId: string }> {
    made += 1;
    const { createOrganization } = await scene.server.api.ask(
      "mutation($slug: String!) { createOrganization(input: { slug: $slug, name: $slug }) { ... on CreateOrganizationSuccess { organization { id } } } }",
      { slug: `org-${made}` },
    );
    const organizationId = createOrganization.organization.id;
    const { createTeam } = await scene.server.api.ask(
      "mutation($id: ID!, $group: String!) { createTeam(input: { organizationId: $id, name: $group, externalIds: [$group] }) { ... on CreateTeamSuccess { team { id } } } }",
      { id: organizationId, group },
    );
    return { organizationId, teamId: createTeam.team.id };
  }

  it("make a member of the teams that name them, until a sign-in without them", async () => {
    const { organizationId, teamId } = await teamOf("database");
    const { name, browser } = await signedIn({ groups: ["database", "unknown"] });
    const { id } = (await scene.ask(browser, WHO)).data.viewer.actor;
    const members = async () => (await scene.server.api.ask(TEAMS, { id: organizationId })).node.teams[0].members;
    expect(await members()).toEqual([{ actor: { id }, source: "LOGIN", lapsesAt: expect.any(String) }]);

    const { createGrant } = await scene.server.api.ask(
      'mutation($team: ID!, $id: ID!) { createGrant(input: { principalId: $team, roleId: "role_00000000000000000000000001", scopeId: $id }) { __typename } }',
      { team: teamId, id: organizationId },
    );
    expect(createGrant.__typename).toBe("CreateGrantSuccess");
    const seen = () => scene.ask(browser, "query($id: ID!) { node(id: $id) { id } }", { id: organizationId });
    expect((await seen()).data.node).toEqual({ id: organizationId });

    scene.provider.people.set(name, { groups: [] });
    await scene.signIn(scene.browser(), name);
    expect(await members()).toEqual([]);
    // Also in the browser that was signed in before.
    expect((await seen()).data.node).toBeNull();
  });

  it("are none where the provider says nothing about them", async () => {
    const { organizationId } = await teamOf("silent");
    const { name } = await signedIn({ groups: "silent" });
    scene.provider.people.set(name, {});
    await scene.signIn(scene.browser(), name);
    expect((await scene.server.api.ask(TEAMS, { id: organizationId })).node.teams[0].members).toEqual([]);
  });

  it("make administrators of the people of one group, until they leave it", async () => {
    const { name, browser } = await signedIn({ groups: ["platform"] });
    expect((await scene.ask(browser, WHO)).data.viewer.isAdmin).toBe(true);
    scene.provider.people.set(name, { groups: ["others"] });
    await scene.signIn(scene.browser(), name);
    expect((await scene.ask(browser, WHO)).data.viewer.isAdmin).toBe(false);
    scene.provider.people.set(name, { groups: ["platform"] });
    await scene.signIn(scene.browser(), name);
    expect((await scene.ask(browser, WHO)).data.viewer.isAdmin).toBe(true);
  });
});

describe("an answer that is not as it was asked", () => {
  /** Goes through the provider up to its answer, which is not sent. */
  async function answerFor(name: string) {
    scene.provider.people.set(name, {});
    const browser = scene.browser();
    const { url } = await scene.signIn(browser, name, (to) => to.startsWith(`${SITE}/auth/callback`));
    return { browser, answer: new URL(url) };
  }

  async function expectRefused(browser: ReturnType<SignInScene["browser"]>, answer: string) {
    const visit = await browser.open(answer);
    expect(visit).toMatchObject({ status: 400, url: answer });
    expect(visit.text).toContain("Signing in did not succeed. Try again.");
    expect(visit.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(browser.cookie(SITE, SESSION_COOKIE)).toBeUndefined();
    expect(scene.refusals).toHaveLength(1);
  }

  it.each([
    ["another state", (answer: URL) => answer.searchParams.set("state", "x".repeat(43))],
    ["no state", (answer: URL) => answer.searchParams.delete("state")],
    ["another issuer", (answer: URL) => answer.searchParams.set("iss", "https://other.example.com")],
    ["another code", (answer: URL) => answer.searchParams.set("code", "abc")],
    ["an error", (answer: URL) => answer.searchParams.set("error", "access_denied")],
  ])("%s", async (name, change) => {
    const { browser, answer } = await answerFor(name.replaceAll(" ", "-"));
    change(answer);
    await expectRefused(browser, answer.href);
  });

  it("of another browser", async () => {
    const { answer } = await answerFor("mallory");
    await expectRefused(scene.browser(), answer.href);
  });

  it("of an attempt of another browser", async () => {
    const { answer } = await answerFor("mallory-2");
    const victim = scene.browser();
    await scene.toProvider(victim);
    await expectRefused(victim, answer.href);
  });

  it("with a cookie that was changed", async () => {
    const { browser, answer } = await answerFor("changed");
    browser.cookies.get(new URL(SITE).host)?.set("holdpoint-sign-in", "AQAAAAAA");
    await expectRefused(browser, answer.href);
  });

  it("for the second time", async () => {
    const { browser, answer } = await answerFor("twice");
    const cookie = browser.cookie(SITE, "holdpoint-sign-in") ?? "";
    expect((await browser.open(answer.href)).status).toBe(200);
    const other = scene.browser();
    other.cookies.set(new URL(SITE).host, new Map([["holdpoint-sign-in", cookie]]));
    await expectRefused(other, answer.href);
  });
});

it("the first sign-in counts as one: the person is present, and may do what takes that", async () => {
  const { browser } = await signedIn();
  const asked = await scene.ask(browser, "{ viewer { sessions { presentAt } actor { id } } }");
  const { sessions, actor } = asked.data.viewer;
  expect(sessions).toEqual([{ presentAt: expect.any(String) }]);
  const make = `mutation ($id: ID!) { createToken(input: { ownerId: $id, name: "t" }) { __typename } }`;
  expect((await scene.ask(browser, make, { id: actor.id })).data.createToken.__typename).toBe("CreateTokenSuccess");
});

describe("signing in again", () => {
  it("asks the person anew, and the former session of the browser ends", async () => {
    const { name, browser } = await signedIn();
    const former = browser.cookie(SITE, SESSION_COOKIE) ?? "";
    const asked = await scene.toProvider(browser, "?fresh=1");
    // Without `fresh` the provider would send the browser back at once.
    expect(asked.url).toContain(`${scene.provider.issuer}/interaction/`);
    await browser.submit(asked, { login: name, password: "any" });
    expect(scene.refusals).toEqual([]);
    const { viewer } = (await scene.ask(browser, "{ viewer { sessions { presentAt current } } }")).data;
    expect(viewer.sessions).toEqual([{ presentAt: expect.any(String), current: true }]);
    expect(browser.cookie(SITE, SESSION_COOKIE)).not.toBe(former);
    const old = scene.browser();
    old.cookies.set(new URL(SITE).host, new Map([[SESSION_COOKIE, former]]));
    expect((await scene.ask(old, WHO)).errors[0].extensions.code).toBe("UNAUTHENTICATED");
  });
});

it("refuses a disabled person with words", async () => {
  const { name, browser } = await signedIn();
  const { id } = (await scene.ask(browser, WHO)).data.viewer.actor;
  await scene.server.api.ask("mutation($id: ID!) { disableUser(input: { userId: $id }) { __typename } }", { id });
  expect((await scene.ask(browser, WHO)).errors[0].extensions.code).toBe("UNAUTHENTICATED");
  const visit = await scene.signIn(scene.browser(), name);
  expect(visit).toMatchObject({ status: 400 });
  expect(visit.text).toContain("You are disabled here. Ask an administrator.");
});
