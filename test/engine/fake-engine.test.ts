/** An engine that writes whatever it likes costs one run at most. */
import { chmod, copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Holdpoint, startHoldpoint, PATIENCE_MS } from "../e2e/holdpoint.ts";

const FAKE = new URL("../fixtures/fake-terraform", import.meta.url);
const LINE_BYTES = 64 * 1024;

let holdpoint: Holdpoint;
let folder: string;
beforeAll(async () => {
  // The engine's own user may not be able to reach the checkout.
  folder = await mkdtemp(join(tmpdir(), "holdpoint-engine-"));
  await chmod(folder, 0o755);
  await copyFile(FAKE, join(folder, "fake-terraform"));
  await chmod(join(folder, "fake-terraform"), 0o755);
  holdpoint = await startHoldpoint({ HOLDPOINT_ENGINE: join(folder, "fake-terraform") });
});
afterAll(async () => {
  await holdpoint[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

describe.concurrent("an engine out of its mind", { timeout: PATIENCE_MS }, () => {
  it("gets its endless lines cut and its bytes made readable, and goes through", async () => {
    const workspace = await holdpoint.workspace("loud", { "main.tf": "" });
    const planned = await workspace.plan();
    const [plan] = planned.plans;
    expect(plan).toMatchObject({ additions: 1, hasChanges: true });
    expect(plan?.text).toContain("before red, invalid \ufffd\ufffd\ufffd bytes, nul , a window , and after\n");
    expect(plan?.text).not.toMatch(/[\0\u001b]/);
    const change = plan?.resourceChanges.edges[0]?.node;
    expect(change).toMatchObject({ address: "fake.a", action: "CREATE", unknownPaths: ["id"] });
    expect(change?.after).toMatchObject({ text: expect.stringContaining("bold") });

    const finished = await workspace.finish(planned.id);
    expect(finished.outcome).toBe("APPLIED");
    const lines = await workspace.log(planned.id);
    expect(lines.map(({ number }) => number)).toEqual(lines.map((_, index) => index + 1));
    const texts: string[] = lines.map(({ text }) => text);
    expect(texts.filter((text) => Buffer.byteLength(text) > LINE_BYTES)).toEqual([]);
    // Both outputs of each init, one of the plan's, one of the apply's. Another slot initialises again for the apply.
    const cut = texts.filter((text) => /^x{1000,} … \[cut: 10000000 bytes\]$/.test(text));
    expect([4, 6]).toContain(cut.length);
    expect(texts.filter((text) => /^long y{1000,} … \[cut: \d+ bytes\]$/.test(text))).toHaveLength(2);
    expect(texts.filter((text) => text === "the line after it")).toHaveLength(cut.length);
    expect(texts).toContain("before red, invalid \ufffd\ufffd\ufffd bytes, nul , a window , and after");
    expect(texts).toContain("fake.a (local-exec): ab green \ufffd half");
    expect(texts).toContain("fake.a (local-exec): second line");
    expect(texts).toContain("{not json");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    expect(texts.filter((text) => /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/.test(text))).toEqual([]);
  });

  it.each([
    ["killed", "PLAN_FAILED"],
    ["no-file", "PLAN_FAILED"],
    ["no-json", "PLAN_FAILED"],
    ["other-action", "PLAN_FAILED"],
  ])("fails the run when it is %s", async (mode, code) => {
    const workspace = await holdpoint.workspace(mode, { "main.tf": "", mode });
    const run = await workspace.runToEnd({}, "FAILED");
    expect(run.failure).toMatchObject({ code, stateUncertain: false });
    expect(run.failure?.summary).not.toBe("");
    expect(JSON.stringify(run.failure)).not.toMatch(/\.ts:\d+|node:internal/);
    expect(await workspace.read()).toMatchObject({ lock: null, stateLock: null, currentRun: null });
  });

  it("fails an apply that says it did something", async () => {
    const workspace = await holdpoint.workspace("apply-fails", { "main.tf": "", mode: "apply-fails" });
    const failed = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
    expect(failed.failure).toMatchObject({ code: "APPLY_PARTIAL", appliedAddresses: ["fake.a"] });
    expect(failed.failure?.message.length).toBeLessThanOrEqual(256 * 1024);
  });
});
