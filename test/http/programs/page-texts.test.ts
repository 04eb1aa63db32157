/** Texts of the pages and answers by which people and authors of programs know what to do. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createProgramRequests } from "../../../src/domain/programs/program-requests.ts";
import type { CookieBrowser } from "../../support/cookie-browser.ts";
import {
  answerProgram,
  beginDevice,
  DEVICE_GRANT,
  loopbackProgram,
  poll,
  readText,
  sendForm,
  signedInPerson,
  typeCode,
} from "../../support/program-steps.ts";
import { openSignInScene, SITE, type SignInScene } from "../../support/sign-in.ts";

let scene: SignInScene;
let ann: CookieBrowser;
beforeAll(async () => {
  scene = await openSignInScene();
  ann = await signedInPerson(scene, "Ann");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const BEGUN_BY_YOU = "Deny it if you have not just started it yourself.";

describe("the page of a device", () => {
  it("asks for the code", async () => {
    expect(readText(await ann.open(`${SITE}/auth/device`))).toBe(
      "Let a program in Type the code that the program shows. Only continue if you have just started it yourself. Code Continue",
    );
  });

  it("says which program asks for what, and where the token is found later", async () => {
    const { userCode } = await beginDevice(scene, { client_id: "ci tool", scope: "RUN_READ" });
    const page = await typeCode(ann, userCode);
    expect(readText(page)).toBe(
      `Let a program in The program ci tool , as it calls itself, asks for a token of yours. ${BEGUN_BY_YOU} ` +
        `Program ci tool Its address 127.0.0.1 It may do RUN_READ Code ${userCode} You Ann Lasts 30 days Allow Deny`,
    );
    expect(readText(await ann.submit(page, { decision: "allow" }))).toBe(
      "Allowed The program gets its token now. You can close this page. Viewer.tokens lists it, and revokeToken ends it.",
    );
  });

  it("says that a denied program gets nothing", async () => {
    const { userCode } = await beginDevice(scene);
    const denied = await ann.submit(await typeCode(ann, userCode), { decision: "deny" });
    expect(readText(denied)).toBe("Denied The program gets no token. You can close this page.");
  });

  it("does not invent an address, in the name of the token either", async () => {
    const requests = createProgramRequests(scene.server.deps);
    const { userCode, deviceCode } = await requests.begin({ client: "remote", permissions: null, address: null });
    const page = await typeCode(ann, userCode);
    expect(readText(page)).toContain("Its address not known It may do Everything that you may do");
    await ann.submit(page, { decision: "allow" });
    const { body } = await poll(scene, deviceCode, "remote");
    expect(body).toHaveProperty("access_token");
    const names = (await scene.ask(ann, "{ viewer { tokens { name } } }")).data.viewer.tokens.map(
      ({ name }: { name: string }) => name,
    );
    expect(names).toContainEqual(expect.stringMatching(/^remote \(\w{6}\)$/));
  });

  it("says what to do about a code that is not known, and about a form of another page", async () => {
    const again = "Type another code";
    expect(readText(await typeCode(ann, "BBBB-BBBB"))).toBe(
      `Not allowed This code is not known, was used, or is older than ten minutes. Start the program again. ${again}`,
    );
    const page = await ann.open(`${SITE}/auth/device`);
    const elsewhere = await ann.submit({ ...page, text: '<form action="/auth/device/decision">' }, { request: "x" });
    expect(readText(elsewhere)).toBe(`Not allowed Open the page again and answer there. ${again}`);
    expect(elsewhere.text).toContain('<a class="action" href="/auth/device">');
  });

  it("says how long a person who guessed must wait", async () => {
    const bob = await signedInPerson(scene, "Bob");
    let last = await typeCode(bob, "BBBB-BBBB");
    for (let tries = 0; tries < 5; tries += 1) last = await typeCode(bob, "BBBB-BBBB");
    expect([last.status, readText(last)]).toEqual([429, "Not allowed Too many codes were wrong. Try again in 2 min."]);
  });
});

describe("the page of a program on this machine", () => {
  it("says which program asks for what, and where it waits", async () => {
    const page = await ann.open(loopbackProgram({ scope: "RUN_READ WORKSPACE_READ" }).url);
    expect(readText(page)).toBe(
      `Let a program in The program terraform-cli on this machine, as it calls itself, asks for a token of yours. ${BEGUN_BY_YOU} ` +
        "Program terraform-cli It waits at localhost:10000 It may do WORKSPACE_READ, RUN_READ You Ann Lasts 30 days Allow Deny",
    );
  });

  it("says why an address gets no answer", async () => {
    const page = await ann.open(loopbackProgram({ redirect_uri: "http://localhost/" }).url);
    expect(readText(page)).toBe(
      "Not allowed The address at which the program waits is missing or not on this machine: redirect_uri must be " +
        "http://localhost or http://127.0.0.1 with a port from 10000 to 10010.",
    );
  });

  it("says that a form of another session begins anew", async () => {
    const bob = await signedInPerson(scene, "Eve");
    const page = await bob.open(loopbackProgram().url);
    const answered = await ann.submit(page, { decision: "allow" });
    expect([answered.status, readText(answered)]).toEqual([403, "Not allowed Start the program again."]);
  });

  it.each([
    [{ response_type: "token" }, "The parameter response_type must be code."],
    [{ code_challenge: "short" }, "The code_challenge must be that of a verifier by the method S256."],
    [{ scope: "openid" }, "The parameter scope must list permissions of the API, such as RUN_READ."],
    [{ client_id: null }, "The parameter client_id is missing."],
  ])("tells a program that asks with %j how to ask", async (more, description) => {
    const answer = await answerProgram(ann, loopbackProgram(more).url);
    expect(answer.searchParams.get("error_description")).toBe(description);
  });

  it("takes a state of 1,024 characters, and no longer one", async () => {
    const opened = async (length: number) =>
      (await ann.open(loopbackProgram({ state: "s".repeat(length) }).url)).status;
    expect([await opened(1024), await opened(1025)]).toEqual([200, 400]);
  });

  it("brings no state to a program that sent none", async () => {
    const answer = await answerProgram(ann, loopbackProgram({ state: null }).url);
    expect([...answer.searchParams.keys()]).toEqual(["code", "iss"]);
  });
});

describe("the endpoint of tokens says", () => {
  const says = async (fields: Record<string, string> | URLSearchParams, path = "/auth/token"): Promise<unknown> =>
    (await sendForm(scene.server.url + path, fields)).body["error_description"];

  it("what a program has to wait for", async () => {
    const { deviceCode, userCode } = await beginDevice(scene);
    const ask = async (): Promise<unknown> => (await poll(scene, deviceCode)).body["error_description"];
    expect(await ask()).toBe("The person has not answered yet.");
    expect(await ask()).toBe("Ask less often: add 5 s to the interval.");
    await ann.submit(await typeCode(ann, userCode), { decision: "deny" });
    expect(await ask()).toBe("The person denied the request, or may not have tokens.");
    const late = await beginDevice(scene);
    scene.server.advance(10 * 60_000 + 1000);
    expect((await poll(scene, late.deviceCode)).body["error_description"]).toBe(
      "The person did not answer in time. Begin again.",
    );
  });

  it.each<[Record<string, string>, string]>([
    [{}, "The parameter grant_type is missing."],
    [
      { grant_type: "password" },
      `The grant_type must be one of ${DEVICE_GRANT}, authorization_code, urn:ietf:params:oauth:grant-type:token-exchange.`,
    ],
    [{ grant_type: DEVICE_GRANT, client_id: "a" }, "The parameter device_code is missing."],
    [{ grant_type: "authorization_code", client_id: "a" }, "The parameter code is missing."],
    [{ grant_type: "authorization_code", client_id: "a", code: "c" }, "The parameter redirect_uri is missing."],
    [
      { grant_type: "authorization_code", client_id: "a", code: "c", redirect_uri: "r" },
      "The parameter code_verifier is missing.",
    ],
    [
      { grant_type: DEVICE_GRANT, client_id: "<b>" },
      "The parameter client_id must have 1 to 60 letters, digits, blanks, dots, underscores and dashes.",
    ],
  ])("what is wrong with %j", async (fields, description) => {
    expect(await says(fields)).toBe(description);
  });

  it("which parameter was given twice, and which form is read", async () => {
    const twice = new URLSearchParams("client_id=a&client_id=b");
    expect(await says(twice, "/auth/device")).toBe("The parameter client_id must be given once.");
    const send = async (type: string) => {
      const init = { method: "POST", headers: { "content-type": type }, body: "client_id=a" };
      const answer = await fetch(`${scene.server.url}/auth/device`, init);
      return [answer.status, ((await answer.json()) as Record<string, unknown>)["error_description"]];
    };
    expect(await send("text/plain")).toEqual([400, "Send the parameters as application/x-www-form-urlencoded."]);
    expect(await send("Application/X-WWW-Form-URLEncoded ; charset=utf-8")).toEqual([200, undefined]);
  });
});
