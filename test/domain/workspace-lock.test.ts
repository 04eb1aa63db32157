import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loseExpiredLeases } from "../../src/domain/lease/lose-lease.ts";
import { expireLocks } from "../../src/domain/workspace/expire-locks.ts";
import type { Api, Data } from "../support/api.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
let writer: Api & { actorId: string };
beforeAll(async () => {
  scene = await openScene(1000, { standing: true });
  writer = await scene.login("WRITER");
});
afterAll(async () => {
  expect(scene.server.reported).toEqual([]);
  await scene[Symbol.asyncDispose]();
});

const lock = (workspaceId: string, input: object = {}, api = scene.api) =>
  scene.send("lockWorkspace", { workspaceId, ...input }, api);
/** Begins the messages about a lock of the writer's. */
const lockedBy = ({ since, expiresAt, actor }: Data): string =>
  `The workspace is locked by ${actor.name} since ${since}${expiresAt === null ? "" : ` until ${expiresAt}`}`;
const inMs = (ms: number): string => new Date(scene.server.deps.clock().getTime() + ms).toISOString();

describe("lockWorkspace", () => {
  it("keeps runs from beginning and applies from being claimed; gates stay open", async () => {
    const { workspaceId, runId } = await scene.reach("AWAITING_APPLY_APPROVAL");
    const answer = await lock(workspaceId, { note: "moving house" }, writer);
    expect(answer.workspace.lock).toMatchObject({
      reason: "MANUAL",
      note: "moving house",
      run: null,
      expiresAt: null,
      actor: { id: writer.actorId },
    });
    await scene.quick("approveRun", { runId, gate: "APPLY", planVersion: 1 });
    const message = `${lockedBy(answer.workspace.lock)}: "moving house". Unlock it, or wait.`;
    expect((await scene.run(runId, "blockers")).blockers).toContainEqual(
      expect.objectContaining({ kind: "WORKSPACE_LOCKED", message }),
    );
    await expect(scene.claim(runId)).rejects.toThrow();
    expect((await scene.send("unlockWorkspace", { workspaceId }, writer)).workspace.lock).toBeNull();
    await scene.claim(runId);
  });

  it("changes the note of one's own lock, and is refused by anybody else's", async () => {
    const workspaceId = await scene.createWorkspace();
    const first = await lock(workspaceId, { note: "one" }, writer);
    scene.server.advance(1000);
    const second = await lock(workspaceId, { note: "two", expiresAt: inMs(60_000) }, writer);
    expect(second.workspace.lock).toMatchObject({ note: "two", since: first.workspace.lock.since });
    expect(second.workspace.lock.expiresAt).not.toBeNull();
    const refused = await lock(workspaceId, { note: "three" });
    expect(refused).toMatchObject({ code: "WORKSPACE_LOCKED", lock: { note: "two", actor: { id: writer.actorId } } });
    const message = `${lockedBy(second.workspace.lock)}: "two". An admin can unlock it with force.`;
    expect(refused.message).toBe(message);
    expect(await scene.send("unlockWorkspace", { workspaceId })).toMatchObject({ code: "WORKSPACE_LOCKED", message });
    const forced = await scene.send("unlockWorkspace", { workspaceId, force: true, note: "asked first" });
    expect(forced.workspace.lock).toBeNull();
  });

  it("is given to one of two who ask at once", async () => {
    const workspaceId = await scene.createWorkspace();
    const answers = await Promise.all([lock(workspaceId), lock(workspaceId, {}, writer)]);
    expect(answers.map(({ code }) => String(code ?? "OK")).toSorted()).toEqual(["OK", "WORKSPACE_LOCKED"]);
  });

  it("refuses what it cannot use", async () => {
    const workspaceId = await scene.createWorkspace();
    expect(await lock(workspaceId, { note: "x".repeat(10_001), expiresAt: inMs(0) })).toMatchObject({
      code: "INVALID_INPUT",
      issues: [{ path: ["note"] }, { path: ["expiresAt"] }],
    });
    expect((await lock(workspaceId, {}, await scene.login("READER"))).code).toBe("FORBIDDEN");
    expect((await lock("ws_nothing")).code).toBe("NOT_FOUND");
    expect((await scene.workspace(workspaceId)).lock).toBeNull();
  });
});

describe("a lock that ends by itself", () => {
  it("counts as none from that instant on, and lets in what waited", async () => {
    const workspaceId = await scene.createWorkspace();
    await lock(workspaceId, { expiresAt: inMs(60_000) }, writer);
    const waiting = await scene.createRun(workspaceId);
    expect((await scene.run(waiting, "status")).status).toBe("QUEUED");
    scene.server.advance(59_999);
    expect((await scene.workspace(workspaceId)).lock).toMatchObject({ reason: "MANUAL" });
    expect(await expireLocks(scene.server.deps)).toBe(0);
    scene.server.advance(1);
    expect((await scene.workspace(workspaceId)).lock).toBeNull();
    expect(await expireLocks(scene.server.deps)).toBe(1);
    expect((await scene.run(waiting, "status")).status).toBe("READY");
    expect(await expireLocks(scene.server.deps)).toBe(0);
  });

  it("is in nobody's way from then on, and the next round lets go on what it stopped", async () => {
    const spot = await scene.reach("CONFIRMED");
    await lock(spot.workspaceId, { expiresAt: inMs(60_000) }, writer);
    await expect(scene.claim(spot.runId)).rejects.toThrow();
    scene.server.advance(60_000);
    expect((await scene.run(spot.runId, "blockers")).blockers).not.toContainEqual(
      expect.objectContaining({ kind: "WORKSPACE_LOCKED" }),
    );
    await expireLocks(scene.server.deps);
    await scene.claim(spot.runId);
    // Another person's lock takes its place.
    expect((await lock(spot.workspaceId)).workspace.lock).toMatchObject({ expiresAt: null });
    expect(await expireLocks(scene.server.deps)).toBe(0);
  });

  it("does not end the lock of an apply that was interrupted under it", async () => {
    const { workspaceId, runId } = await scene.reach("APPLYING");
    await lock(workspaceId, { note: "mine", expiresAt: inMs(300_000) }, writer);
    scene.server.advance(31_000);
    await loseExpiredLeases(scene.server.deps);
    const interrupted = { reason: "APPLY_INTERRUPTED", note: "mine", expiresAt: null, run: { id: runId } };
    expect((await scene.workspace(workspaceId)).lock).toMatchObject(interrupted);
    scene.server.advance(300_000);
    await expireLocks(scene.server.deps);
    expect((await scene.workspace(workspaceId)).lock).toMatchObject(interrupted);
    const message = expect.stringMatching(
      /^The workspace is locked since .*: the apply of run 1 was interrupted. Check/,
    );
    for (const answer of [await scene.send("unlockWorkspace", { workspaceId }, writer), await lock(workspaceId)]) {
      expect(answer).toMatchObject({ code: "WORKSPACE_LOCKED", message });
    }
  });
});
