/** Random orders of what a network, a colleague and a person do at a gate, on one page. A seed repeats a choice of orders. */
import type { Page } from "playwright-core";
import { DEFAULT_ORGANIZATION_ID } from "../../../src/model/people/actor.ts";
import { waitFor, waitUntil } from "../../support/eventually.ts";
import type { FakeJob } from "../../support/fake-runner.ts";
import { addMachine } from "../../support/machine.ts";
import { createRandom, type Random } from "../../support/random.ts";
import { createdResource } from "../../support/resource-changes.ts";
import { createRun } from "../../support/run-steps.ts";
import { type ConsoleScene, signIn } from "./console-scene.ts";
import { openFakeJobs } from "./fake-jobs.ts";
import { waitForStatus } from "./wait-for-status.ts";

/** What was in sight when the button that sends an approval was pressed, as the page itself noted it. */
export interface Press {
  readonly runId: string;
  /** The version that the dialog named when it was opened. */
  readonly opened: number;
  /** The version that the dialog names. */
  readonly dialog: number;
  /** The version that the page behind it names. */
  readonly page: number;
  /** The version that the changes in sight belong to; 0: none are shown. */
  readonly changes: number;
}

export interface OrdersReport {
  readonly presses: readonly Press[];
  /** The approvals that the API has afterwards. */
  readonly approvals: readonly { readonly runId: string; readonly planVersion: number }[];
  /** The members of the answers to approvals that the page got. */
  readonly answers: Readonly<Record<string, number>>;
  /** How often the button could not be pressed while the dialog was open. */
  readonly closedButtons: number;
}

/** Plans pile up in a run: its page has a list of them. */
const ORDERS_A_RUN = 20;
/** The steps of a network and of a colleague. */
const EVENTS = ["replan", "hold", "hold", "cut", "heal", "drop"] as const;
type Step = (typeof EVENTS)[number] | "open" | "confirm" | "close" | "reload";
/** Goes through orders on the page of a run whose gate takes two people, so that it stays at the gate. */
export async function playOrders(scene: ConsoleScene, orders: number, seed: number): Promise<OrdersReport> {
  const { api, url } = scene.server;
  const random = createRandom(seed);
  const claimNext = await openFakeJobs(url, api);
  const workspaceId = await scene.createWorkspace("orders", { "main.tf": "" });
  await addMachine(url, api, ["APPROVER", DEFAULT_ORGANIZATION_ID]);
  const rules = [{ name: "two", gate: "PLAN", minimum: 2, machinesCount: true }];
  const { updateWorkspace: updated } = await api.ask(
    `mutation ($input: UpdateWorkspaceInput!) { updateWorkspace(input: $input) {
      __typename ... on UserError { message } } }`,
    { input: { workspaceId, approvalRules: rules } },
  );
  if (updated.message !== undefined) throw new Error(updated.message);
  await using opened = await scene.open("/inbox");
  const { page } = opened;
  const answers: Record<string, number> = {};
  page.on("response", async (response) => {
    const sent = response.request().postData() ?? "";
    if (!sent.includes("mutation Approve")) return;
    const { data } = await response.json().catch(() => ({ data: null }));
    const name: string = data?.approveRun?.__typename ?? "none";
    answers[name] = (answers[name] ?? 0) + 1;
  });
  await page.addInitScript(notePresses);
  await signIn(page, api.token);
  const presses: Press[] = [];
  const approvals: { runId: string; planVersion: number }[] = [];
  let closedButtons = 0;
  for (let played = 0; played < orders; played += ORDERS_A_RUN) {
    const runId = await createRun(api, workspaceId);
    const planner = createPlanner(scene, runId, claimNext);
    await planner.plan();
    await page.goto(`${scene.site}/r/${runId}`);
    await page.getByRole("heading", { name: "Review plan" }).waitFor();
    for (let order = played; order < Math.min(orders, played + ORDERS_A_RUN); order += 1) {
      closedButtons += await playOrder({ scene, page, random, planner });
    }
    for (const press of await readPresses(page)) presses.push({ runId, ...press });
    const { run } = await api.ask(`{ run(id: "${runId}") { approvals { planVersion } } }`);
    for (const { planVersion } of run.approvals) approvals.push({ runId, planVersion });
    await api.ask(`mutation { discardRun(input: { runId: "${runId}" }) { __typename } }`);
  }
  return { presses, approvals, answers, closedButtons };
}

interface Planner {
  /** The version of the newest plan. */
  version(): number;
  /** Makes the first plan. */
  plan(): Promise<void>;
  /** Asks for another plan, and makes it. */
  replan(): Promise<void>;
}

/** A colleague with a runner: each plan creates a resource that is named after its version. */
function createPlanner(scene: ConsoleScene, runId: string, claimNext: () => Promise<FakeJob>): Planner {
  const { api } = scene.server;
  let version = 0;
  const plan = async (): Promise<void> => {
    version += 1;
    const job = await waitFor(claimNext);
    await job.plan({ resourceChanges: [createdResource(`v${version}`)] });
    await waitForStatus(api, runId, "AWAITING_PLAN_APPROVAL", version);
  };
  return {
    version: () => version,
    plan,
    async replan() {
      const { replanRun } = await api.ask(
        `mutation { replanRun(input: { runId: "${runId}", planVersion: ${version} }) {
          ... on UserError { message } } }`,
      );
      if (replanRun.message !== undefined) throw new Error(replanRun.message);
      await plan();
    },
  };
}

interface Play {
  readonly scene: ConsoleScene;
  readonly page: Page;
  readonly random: Random;
  readonly planner: Planner;
}

/** Plays one order, and gives how often its button could not be pressed. */
async function playOrder({ scene: { link }, page, random, planner }: Play): Promise<number> {
  let replanned: Promise<void> = Promise.resolve();
  let closedButtons = 0;
  const does: Record<Step, () => Promise<void> | void> = {
    cut: () => link.cut(),
    hold: () => link.hold(),
    heal: () => link.heal(),
    drop: () => link.dropSockets(),
    close: () => page.keyboard.press("Escape"),
    reload: async () => {
      // Without a network the page stays, as a browser would show a page of its own.
      link.heal();
      await page.reload({ waitUntil: random.chance(0.5) ? "commit" : "load" });
    },
    replan: async () => {
      const next = replanned.then(() => planner.replan());
      replanned = next;
      // Half of the time the person goes on while it is made.
      if (random.chance(0.5)) await next;
    },
    open: async () => {
      if (random.chance(0.5)) await page.keyboard.press("a");
      else await click(page, "section[aria-label='What is asked'] button.primary");
      await page.evaluate(() => new Promise(requestAnimationFrame));
    },
    confirm: async () => {
      const isOpen = (await page.locator("dialog[open]").count()) > 0;
      if (!(await click(page, "dialog[open] button[type=submit]:enabled")) && isOpen) closedButtons += 1;
    },
  };
  for (const step of stepsOf(random)) await does[step]();
  await replanned;
  link.heal();
  await settle(page, planner.version());
  return closedButtons;
}

/** Gives the steps of an order: a person decides once or twice, while a colleague and the network do what they do. */
function stepsOf(random: Random): Step[] {
  const decide = (): Step[] => (random.chance(0.5) ? ["open", "replan", "confirm"] : ["open", "confirm"]);
  const steps = random.chance(0.4) ? [...decide(), ...decide()] : decide();
  const between: Step[] = [];
  for (let count = random.below(4); count > 0; count -= 1) between.push(random.pick(EVENTS) ?? "heal");
  if (random.chance(0.2)) between.push("close");
  if (random.chance(0.1)) between.push("reload");
  for (const step of between) steps.splice(random.below(steps.length + 1), 0, step);
  return steps;
}

/** Closes the dialog, and waits until the page is live and shows the newest plan. */
async function settle(page: Page, version: number): Promise<void> {
  await waitUntil(async () => {
    await page.keyboard.press("Escape");
    await click(page, "[data-state] button");
    return (
      (await page.locator("[data-state=LIVE]").count()) > 0 &&
      (await page.locator("dialog[open]").count()) === 0 &&
      (await page.getByText(`terraform_data.v${version}`, { exact: true }).count()) > 0
    );
  }).catch(async (error: unknown) => {
    throw new Error(`The page did not recover: ${await page.locator("body").innerText()}`, { cause: error });
  });
}

/** Presses the mouse where an element is now; false if there is none. What is there by then gets the click. */
async function click(page: Page, selector: string): Promise<boolean> {
  const place = await page.evaluate((wanted) => {
    const box = document.querySelector(wanted)?.getBoundingClientRect();
    return box === undefined ? null : { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }, selector);
  if (place !== null) await page.mouse.click(place.x, place.y);
  return place !== null;
}

type PagePress = Omit<Press, "runId">;
const KEPT = "presses";

/** Runs in the page, before its scripts: notes what is in sight whenever the button of the dialog is pressed. */
function notePresses(): void {
  const versionIn = (text: string | null | undefined): number => Number(/\bplan v(\d+)/i.exec(text ?? "")?.[1] ?? 0);
  const versionOf = (dialog: Element): number => versionIn(dialog.querySelector("form > p")?.textContent);
  let known: Element | null = null;
  let opened = 0;
  new MutationObserver(() => {
    const dialog = document.querySelector("dialog[open]");
    if (dialog !== null && dialog !== known) opened = versionOf(dialog);
    known = dialog;
  }).observe(document, { subtree: true, childList: true, attributeFilter: ["open"] });
  const note = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest("dialog[open] button[type=submit]") : null;
    const dialog = button?.closest("dialog");
    if (dialog === null || dialog === undefined) return;
    const asked = document.querySelector("section[aria-label='What is asked']");
    const change = document.querySelector("#panel-plan details code")?.textContent;
    const press = {
      opened,
      dialog: versionOf(dialog),
      page: versionIn([...(asked?.querySelectorAll(":scope > p") ?? [])].map((p) => p.textContent).join(" ")),
      changes: Number(/\.v(\d+)$/.exec(change ?? "")?.[1] ?? 0),
    };
    const kept: unknown[] = JSON.parse(sessionStorage.getItem("presses") ?? "[]");
    sessionStorage.setItem("presses", JSON.stringify([...kept, press]));
  };
  addEventListener("click", note, { capture: true });
}

/** Takes the notes out of the page. */
async function readPresses(page: Page): Promise<PagePress[]> {
  return page.evaluate((key): PagePress[] => {
    const kept = sessionStorage.getItem(key) ?? "[]";
    sessionStorage.removeItem(key);
    return JSON.parse(kept);
  }, KEPT);
}
