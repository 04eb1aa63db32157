/** Every part of the console in every state: no barrier in any view, and what it is to assistive technology. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page, Route } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeContext, openContext } from "../../browser/chromium.ts";
import { findBarriers } from "./barriers.ts";
import { shoot, untilLive } from "./console-scene.ts";
import { shareChromium } from "./shared-chromium.ts";
import { checkViews } from "./views.ts";

const BUILD = fileURLToPath(new URL("../../../src/console/build.mjs", import.meta.url));
const SITE = "http://specimens.localhost";
const TYPES: Readonly<Record<string, string>> = {
  html: "text/html",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

let folder: string;
let chromium: Browser;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-specimens-"));
  await promisify(execFile)(process.execPath, [BUILD, "specimens", folder]);
  chromium = await shareChromium();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const REFUSALS: Readonly<Record<string, object>> = {
  refused: { __typename: "ForbiddenError", code: "FORBIDDEN", message: "Your rights do not allow this here." },
  problems: {
    __typename: "InvalidInputError",
    code: "INVALID_INPUT",
    message: "key: must be another one.",
    issues: [{ path: ["key"], message: "must be another one." }],
  },
};

/** Answers as a server: by the key that a command names. */
async function answer(route: Route): Promise<void> {
  const { query, variables } = route.request().postDataJSON();
  const key = variables?.input?.key;
  if (key === "never") return;
  if (key === "lost") return route.abort();
  const [, field = ""] = /\{\s*(\w+)/.exec(query) ?? [];
  const json = query.startsWith("query")
    ? { data: { organization: null } }
    : { data: { [field]: REFUSALS[key] ?? { __typename: "Success" } } };
  await route.fulfill({ json });
}

interface Opened extends AsyncDisposable {
  readonly page: Page;
  readonly reports: string[];
}

/** Opens the specimens. `isLive`: the page has a connection. */
async function open(isLive: boolean): Promise<Opened> {
  const context = await openContext(chromium, { viewport: { width: 1280, height: 800 }, locale: "en-US" });
  const page = await context.newPage();
  const reports: string[] = [];
  page.on("pageerror", (error) => reports.push(String(error)));
  await page.route(`${SITE}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname === "/graphql") return answer(route);
    const file = pathname === "/" ? "index.html" : pathname.slice(1);
    const contentType = TYPES[file.slice(file.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    await route.fulfill({ body: await readFile(join(folder, file)), contentType });
  });
  await page.routeWebSocket(/./, (socket) => {
    if (!isLive) return void socket.close();
    const replies: Readonly<Record<string, string>> = { connection_init: "connection_ack", ping: "pong" };
    socket.onMessage((text) => {
      const type = replies[JSON.parse(String(text)).type];
      if (type !== undefined) socket.send(JSON.stringify({ type }));
    });
  });
  await page.goto(SITE);
  await page.locator(`[data-state="${isLive ? "LIVE" : "STALE"}"]`).waitFor();
  return { page, reports, [Symbol.asyncDispose]: () => closeContext(context) };
}

/** Compares with the text that is kept beside this file. `vitest -u` writes it. */
const expectTree = async (page: Page, name: string, place = "main"): Promise<void> =>
  expect(`${await page.locator(place).ariaSnapshot()}\n`).toMatchFileSnapshot(`specimens/${name}.aria.yml`);

it("has no barrier in any part, and shows each to assistive technology", async () => {
  await using opened = await open(true);
  const { page, reports } = opened;
  await page.getByLabel("Place").locator("option").first().waitFor({ state: "attached" });
  await checkViews(page, "specimens");
  await expectTree(page, "parts");
  expect(reports).toEqual([]);
});

it("can be read with more contrast, and in the colors of the system", async () => {
  await using opened = await open(true);
  const { page } = opened;
  const colorOf = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).color);
  expect(await colorOf("main .quiet")).not.toBe(await colorOf("main"));
  await page.emulateMedia({ contrast: "more" });
  expect(await colorOf("main .quiet")).toBe(await colorOf("main"));
  expect(await findBarriers(page)).toEqual([]);
  await page.emulateMedia({ contrast: null, forcedColors: "active" });
  expect(await findBarriers(page)).toEqual([]);
  await shoot(page, "specimens-forced-colors");
});

it("sends nothing while it is not live", async () => {
  await using opened = await open(false);
  const { page, reports } = opened;
  await checkViews(page, "specimens-stale");
  for (const name of ["Commands", "Commands with a question"]) {
    const enabled = page.getByRole("region", { name, exact: true }).locator("button:enabled");
    expect(await enabled.count(), name).toBe(0);
  }
  await page.getByRole("button", { name: "Set…" }).press("Enter");
  const submit = page.getByRole("dialog", { name: "Set a variable" }).getByRole("button", { name: "Set the variable" });
  expect(await submit.isDisabled()).toBe(true);
  await expectTree(page, "form-stale", "dialog");
  expect(reports).toEqual([]);
});

it("shows how a command went beside it", async () => {
  await using opened = await open(true);
  const { page, reports } = opened;
  const commands = page.getByRole("region", { name: "Commands", exact: true });
  for (const key of ["done", "refused", "problems", "lost", "never"]) {
    await commands.getByRole("button", { name: `Send: ${key}` }).press("Enter");
  }
  await commands.getByText("✓ done").waitFor();
  await commands.getByText("Your rights do not allow this here.").waitFor();
  await commands.getByText(/The answer was lost/).waitFor();
  await commands.getByRole("button", { name: "Sending…" }).waitFor();
  // Before the views, which take so long that the one without an answer may be given up.
  await expectTree(page, "commands", 'section[aria-label="Commands"]');
  await checkViews(page, "specimens-commands");
  expect(reports).toEqual([]);
});

describe("a dialog", () => {
  interface Step {
    readonly name: string;
    readonly opener: string;
    /** What is typed into its field. */
    readonly typed?: string;
    readonly submit?: string;
    /** The text that the state has. */
    readonly text: string | RegExp;
  }
  const steps: readonly Step[] = [
    { name: "dialog", opener: "Show it", text: "It is closed by Escape, and by its button." },
    { name: "question", opener: "Delete: done", text: "Its next runs do without it." },
    { name: "question-gives", opener: "Give", text: "It is given at once." },
    { name: "question-refused", opener: "Delete: refused", submit: "Delete: refused", text: /Your rights/ },
    { name: "question-lost", opener: "Delete: lost", submit: "Delete: lost", text: /The answer was lost/ },
    { name: "question-sending", opener: "Delete: never", submit: "Delete: never", text: "Sending…" },
    { name: "form", opener: "Set", text: "Its value" },
    { name: "form-refused", opener: "Set", typed: "refused", submit: "Set the variable", text: /Your rights/ },
    { name: "form-problems", opener: "Set", typed: "problems", submit: "Set the variable", text: /Correct the fields/ },
    { name: "form-sending", opener: "Set", typed: "never", submit: "Set the variable", text: "Sending…" },
    { name: "form-secret", opener: "New token", submit: "Make the token", text: "hpt_specimen" },
    { name: "entry-new", opener: "New entry", text: "Name" },
    { name: "entry-stale", opener: "Change", submit: "Change the entry", text: /changed was changed meanwhile/ },
    {
      name: "form-deleted",
      opener: "Edit",
      typed: "kept",
      submit: "Someone deletes it",
      text: /region was deleted meanwhile\. Nothing can be sent any more/,
    },
    { name: "question-deleted", opener: "Remove", submit: "Remove", text: /no longer offered/ },
    { name: "entry-gone", opener: "Delete", submit: "Delete", text: /gone was deleted or renamed meanwhile/ },
  ];

  /** One page for all: axe takes longer to load than to check. */
  let opened: Opened;
  beforeAll(async () => {
    opened = await open(true);
  });
  afterEach(async () => {
    const { page, reports } = opened;
    await page.keyboard.press("Escape");
    // One that waits for an answer stays open.
    if (await page.locator("dialog[open]").isVisible()) await page.reload();
    await untilLive(page);
    reports.length = 0;
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  it.each(steps)("is $name", async ({ name, opener, typed, submit, text }) => {
    const { page, reports } = opened;
    await page.getByRole("button", { name: new RegExp(`^${opener}…?$`) }).press("Enter");
    const dialog = page.getByRole("dialog");
    if (typed !== undefined) await dialog.getByLabel("Name").fill(typed);
    if (submit !== undefined) await dialog.getByRole("button", { name: submit, exact: true }).press("Enter");
    await dialog.getByText(text, { exact: typeof text === "string" }).waitFor();
    await expectTree(page, name, "dialog[open]");
    await checkViews(page, `specimens-${name}`);
    expect(reports).toEqual([]);
  });
});
