/** A scene whose clock stands, and the work of a server that verifies applies in it: what most tests of verifications take. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import {
  startVerificationWork,
  type ToldProber,
  toldProber,
  type VerificationWork,
} from "../../support/verification-steps.ts";
import { openScene, type Scene } from "../scene.ts";

interface VerificationScene {
  readonly scene: Scene;
  /** Each test has a prober of its own, whose answers pass until it is told otherwise. */
  readonly prober: ToldProber;
  readonly work: VerificationWork;
}

/** Opens a scene for the tests of a file. Gives the function that returns it, with the prober and the work of a test. */
export function useVerificationScene(): () => VerificationScene {
  let scene: Scene | undefined;
  let ofTest: Omit<VerificationScene, "scene"> | undefined;
  const current = (): VerificationScene => {
    if (scene === undefined || ofTest === undefined) throw new Error("No test is under way.");
    return { scene, ...ofTest };
  };
  beforeAll(async () => {
    scene = await openScene(1000, { standing: true });
  });
  beforeEach(() => {
    if (scene === undefined) throw new Error("The scene is not open.");
    const prober = toldProber();
    ofTest = { prober, work: startVerificationWork(scene.server.deps, prober) };
  });
  afterEach(async () => {
    const { work, scene: open } = current();
    await work[Symbol.asyncDispose]();
    // Verifications of a test that has ended are not due in the next one.
    await open.rows("update verification set due_at = null where due_at is not null");
    expect(open.server.reported.splice(0)).toEqual([]);
  });
  afterAll(() => scene?.[Symbol.asyncDispose]());
  return current;
}
