/** How long a session lasts, by a clock that the test moves. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CookieBrowser } from "../../support/cookie-browser.ts";
import { openSignInScene, SITE, type SignInScene } from "../../support/sign-in.ts";

const HOUR_MS = 60 * 60 * 1000;

let scene: SignInScene;
beforeAll(async () => {
  scene = await openSignInScene();
});
afterAll(() => scene[Symbol.asyncDispose]());

async function signedIn(): Promise<CookieBrowser> {
  scene.provider.people.set("ann", {});
  const browser = scene.browser();
  await scene.signIn(browser, "ann");
  return browser;
}

const isIn = async (browser: CookieBrowser): Promise<boolean> =>
  (await scene.ask(browser, "{ viewer { credential } }")).data?.viewer?.credential === "SESSION";

it("ends after twelve hours without a request, and not before", async () => {
  const browser = await signedIn();
  scene.server.advance(11 * HOUR_MS);
  expect(await isIn(browser)).toBe(true);
  scene.server.advance(11 * HOUR_MS);
  expect(await isIn(browser)).toBe(true);
  scene.server.advance(12 * HOUR_MS + 1000);
  expect(await isIn(browser)).toBe(false);
});

it("ends after seven days in any case", async () => {
  const browser = await signedIn();
  const steps = (7 * 24) / 8;
  for (let step = 1; step < steps; step += 1) {
    scene.server.advance(8 * HOUR_MS);
    expect(await isIn(browser)).toBe(true);
  }
  scene.server.advance(8 * HOUR_MS + 1000);
  expect(await isIn(browser)).toBe(false);
});

it("does not begin by an answer of the provider that comes after ten minutes", async () => {
  scene.provider.people.set("late", {});
  const browser = scene.browser();
  const { url } = await scene.signIn(browser, "late", (to) => to.startsWith(`${SITE}/auth/callback`));
  scene.server.advance(10 * 60 * 1000 + 1000);
  expect((await browser.open(url)).status).toBe(400);
  expect(scene.refusals).toEqual([expect.objectContaining({ message: expect.stringContaining("too old") })]);
});
