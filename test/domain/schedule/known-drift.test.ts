/** Drift that people know of: acknowledged, or ignored by the workspace. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { reconcileDrift } from "../../../src/domain/drift/reconcile-drift.ts";
import { DEFAULT_ORGANIZATION_ID as organizationId } from "../../../src/model/people/actor.ts";
import type { PlanContent } from "../../../src/model/plan/plan.ts";
import type { Data } from "../../support/api.ts";
import { driftSteps, outside, SAME } from "../../support/drift-steps.ts";
import { openScene, type Scene } from "../scene.ts";

let scene: Scene;
beforeAll(async () => {
  scene = await openScene(1000, { webhooks: true });
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const { send, schedule, check, applied, reportOf, statusOf } = driftSteps(() => scene);

const DAY_MS = 24 * 60 * 60 * 1000;
const later = (days: number) => new Date(scene.server.deps.clock().getTime() + days * DAY_MS).toISOString();
const acknowledge = (reportId: string, more: object = {}) =>
  send("acknowledgeDrift", { reportId, until: later(7), note: "known", ...more }, "report { id }");

/** A webhook of everything that may be reported of a check; gives the events that were, oldest first. */
async function listen(workspaceId: string): Promise<() => Promise<string[]>> {
  const hook = { organizationId, workspaceId, url: "https://example.com/", events: ["DRIFT_FOUND", "RUN_ENDED"] };
  const { webhook } = await send("createWebhook", hook, "webhook { id }");
  const text = "select event from webhook_delivery where webhook_id = $1 order by id";
  return async () => (await scene.rows(text, webhook.id)).map(({ event }) => event);
}

/** The runs and changesets that undo drift of the workspace. */
async function undoing(workspaceId: string): Promise<Data[]> {
  await reconcileDrift(scene.server.deps);
  return scene.rows(
    "select id from drift_report where workspace_id = $1 and (reconcile_due or changeset_id is not null)",
    workspaceId,
  );
}

describe("an acknowledgement", () => {
  it("stops reports of the same drift, and of no other", async () => {
    const workspaceId = await applied();
    const hook = { organizationId, workspaceId, url: "https://example.com/", events: ["DRIFT_FOUND"] };
    const { webhook } = await send("createWebhook", hook, "webhook { id }");
    const told = async () =>
      (await scene.rows("select id from webhook_delivery where webhook_id = $1", webhook.id)).length;
    const id = await schedule(workspaceId);
    const first = [outside("terraform_data.a", { after: { size: 2 } })];
    await (await scene.claim(await check(id))).plan({ ...SAME, drift: first });
    expect(await told()).toBe(1);
    await acknowledge((await reportOf(workspaceId)).id);
    expect(await statusOf(workspaceId)).toBe("ACKNOWLEDGED");
    expect((await reportOf(workspaceId)).acknowledgement).toMatchObject({ note: "known", by: { name: "admin" } });

    // It is gone for a while, and comes back: it is still known.
    await (await scene.claim(await check(id))).plan(SAME);
    await (await scene.claim(await check(id))).plan({ ...SAME, drift: first });
    expect([await told(), await statusOf(workspaceId)]).toEqual([1, "ACKNOWLEDGED"]);
    // The attribute has another value now.
    const other = [outside("terraform_data.a", { after: { size: 3 } })];
    await (await scene.claim(await check(id))).plan({ ...SAME, drift: other });
    expect([await told(), await statusOf(workspaceId)]).toEqual([2, "DRIFTED"]);
  });

  it("is refused for drift that is not open, for the past, and for ever", async () => {
    const workspaceId = await applied();
    const id = await schedule(workspaceId);
    await (await scene.claim(await check(id))).plan({ ...SAME, drift: [outside("terraform_data.a")] });
    const { id: reportId } = await reportOf(workspaceId);
    for (const until of [later(-1), later(367)]) {
      expect((await acknowledge(reportId, { until })).message).toContain("until");
    }
    await (await scene.claim(await check(id))).plan({ ...SAME, drift: [outside("terraform_data.b")] });
    expect((await acknowledge(reportId)).message).toContain("reportId");
    await (await scene.claim(await check(id))).plan(SAME);
    expect((await acknowledge((await reportOf(workspaceId)).id)).message).toContain("reportId");
  });
});

describe("two changes, of which one is acknowledged and the other ignored", () => {
  const size = outside("terraform_data.size");
  const tags = outside("terraform_data.tags", { paths: ["tags.owner"] });
  const ignoreTags = (workspaceId: string) =>
    scene.quick("updateWorkspace", { workspaceId, drift: { ignore: [{ attribute: "tags" }] } });

  it.each(["acknowledged first", "ignored first"])("raise one alarm, the first: %s", async (order) => {
    const workspaceId = await applied();
    await scene.quick("updateWorkspace", { workspaceId, drift: { reconcile: "PROPOSE" } });
    const events = await listen(workspaceId);
    const id = await schedule(workspaceId);
    const again = async (...drift: object[]): Promise<string> => {
      await (await scene.claim(await check(id))).plan({ ...SAME, drift } as Partial<PlanContent>);
      return statusOf(workspaceId);
    };
    expect(await again(size, tags)).toBe("DRIFTED");
    expect(await events()).toEqual(["run.ended", "drift.found"]);
    if (order === "ignored first") {
      // What is left of the drift is another one than the report showed, until people know of that.
      await ignoreTags(workspaceId);
      expect(await again(size, tags)).toBe("DRIFTED");
    }
    await acknowledge((await reportOf(workspaceId)).id);
    await ignoreTags(workspaceId);
    const told = await events();
    for (let times = 0; times < 2; times++) expect(await again(size, tags)).toBe("ACKNOWLEDGED");
    expect(await reportOf(workspaceId)).toMatchObject({
      resourceCount: 1,
      ignoredCount: 1,
      acknowledgement: { note: "known", by: { name: "admin" } },
    });
    expect(await again(tags)).toBe("NONE");
    expect(await again(size)).toBe("ACKNOWLEDGED");
    expect(await events()).toEqual(told);
    expect(await undoing(workspaceId)).toEqual([]);
    // A new change beside the known one is news.
    expect(await again(size, outside("terraform_data.other"))).toBe("DRIFTED");
    expect((await events()).slice(told.length)).toEqual(["run.ended", "drift.found"]);
  });

  it("are news again with another value, or where the acknowledgement has ended", async () => {
    const workspaceId = await applied();
    const events = await listen(workspaceId);
    const id = await schedule(workspaceId);
    const again = async (...drift: object[]): Promise<number> => {
      await (await scene.claim(await check(id))).plan({ ...SAME, drift } as Partial<PlanContent>);
      return (await events()).filter((event) => event === "drift.found").length;
    };
    expect(await again(size, tags)).toBe(1);
    await acknowledge((await reportOf(workspaceId)).id);
    expect(await again(tags)).toBe(1);
    expect(await again({ ...tags, after: { size: 3 } })).toBe(2);
    expect(await again(size)).toBe(3);
    scene.server.advance(8 * DAY_MS);
    expect(await again(size, tags)).toBe(4);
    // What is left of drift that was known until yesterday is news.
    await acknowledge((await reportOf(workspaceId)).id, { until: later(1) });
    scene.server.advance(DAY_MS + 1);
    expect(await again(size)).toBe(5);
  });
});
