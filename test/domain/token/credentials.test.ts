/** The credentials of runners, jobs and runs, with a cipher and rows that the test makes up. */
import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Deps } from "../../../src/domain/kit/deps.ts";
import {
  authenticateJob,
  authenticateRunner,
  isRunToken,
  jobToken,
  type KnownJobs,
  newRunnerSecret,
  readRunToken,
  runnerToken,
  runToken,
} from "../../../src/domain/token/credentials.ts";
import { hashSecret } from "../../../src/domain/token/secret.ts";
import { LIMITS } from "../../../src/model/kit/limits.ts";
import type { Cipher } from "../../../src/persistence/installation/cipher.ts";
import { fakeId } from "../../support/fake-domain.ts";
import { recordedDatabase } from "../../support/recorded-database.ts";

const AT = "2026-01-02T03:04:05.678Z";
const cipher = {
  mac: (purpose: string, text: string) => createHmac("sha256", purpose).update(text).digest(),
} as unknown as Cipher;
const other = { mac: (purpose: string, text: string) => cipher.mac(`another ${purpose}`, text) } as unknown as Cipher;
const JOB = fakeId("job", 1);

function setup(row: object | null = null) {
  const { database, statements } = recordedDatabase(() => (row === null ? [] : [row]));
  const deps = { database, cipher, clock: () => new Date(AT) } as unknown as Deps;
  return { deps, statements };
}

it("derives each kind of token from the master key under a name of its own, which stays", () => {
  const asked: string[][] = [];
  const noting = {
    mac: (...given: string[]) => {
      asked.push(given);
      return Buffer.alloc(32);
    },
  } as unknown as Cipher;
  jobToken(noting, JOB);
  runToken(noting, JOB);
  runnerToken(noting);
  expect(asked).toEqual([
    ["job-token", JOB],
    ["run-token", JOB],
    ["runner-token", "embedded"],
  ]);
});

describe("the token of a run", () => {
  const token = runToken(cipher, JOB);

  it("names its job, and is good for nothing else", () => {
    expect(token.startsWith(`hpx_${JOB}.`)).toBe(true);
    expect([isRunToken(token), isRunToken(jobToken(cipher, JOB)), isRunToken(`x${token}`)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(readRunToken(cipher, token)).toBe(JOB);
    expect(jobToken(cipher, JOB).split(".")[1]).not.toBe(token.split(".")[1]);
  });

  it.each([
    ["of another job", token.replace(JOB, fakeId("job", 2))],
    ["of another installation", runToken(other, JOB)],
    ["of what is no job", runToken(cipher, fakeId("run", 1))],
    ["that was cut", token.slice(0, -1)],
    ["that goes on", `${token}x`],
    ["that goes on after a dot", `${token}.x`],
    ["of a job alone", `hpx_${JOB}`],
    ["of a job to its runner", jobToken(cipher, JOB)],
    ["with the prefix of a job", token.replace("hpx_", "hpj_")],
    ["without its prefix", token.slice(4)],
    ["that is too long", `${token}${"x".repeat(200)}`],
    ["that is empty", ""],
  ])("is refused: one %s", (_case, text) => expect(readRunToken(cipher, text)).toBeNull());
});

describe("the token of a job", () => {
  const row = { id: JOB, run_id: "run_1", leg: "PLAN", kind: "DEPLOY" };
  const caller = { type: "job", jobId: JOB, runId: "run_1", leg: "PLAN", kind: "DEPLOY" };
  const token = jobToken(cipher, JOB);

  it("is looked up once, and known afterwards", async () => {
    const { deps, statements } = setup(row);
    const known: KnownJobs = new Map();
    expect(token.startsWith(`hpj_${JOB}.`)).toBe(true);
    expect(await authenticateJob(deps, known, token)).toEqual(caller);
    expect(await authenticateJob(deps, known, token)).toEqual(caller);
    expect(statements.map(({ parameters }) => parameters)).toEqual([[JOB]]);
    // A known job does not open to another text.
    expect(await authenticateJob(deps, known, `${token}x`)).toBeNull();
    expect(await authenticateJob(deps, known, jobToken(other, JOB))).toBeNull();
  });

  it.each([
    ["of another job", token.replace(JOB, fakeId("job", 2))],
    ["of another installation", jobToken(other, JOB)],
    ["of what is no job", jobToken(cipher, fakeId("run", 1))],
    ["of a run", runToken(cipher, JOB)],
    ["with another prefix", token.replace("hpj_", "hpx_")],
    ["without its second part", `hpj_${JOB}`],
    ["with an empty second part", `hpj_${JOB}.`],
    ["that was cut", token.slice(0, -1)],
    ["that is empty", ""],
  ])("is refused without a statement: one %s", async (_case, text) => {
    const { deps, statements } = setup(row);
    const known: KnownJobs = new Map();
    expect(await authenticateJob(deps, known, text)).toBeNull();
    expect([statements, known.size]).toEqual([[], 0]);
  });

  it("of a job that does not exist is not kept", async () => {
    const { deps } = setup();
    const known: KnownJobs = new Map();
    expect(await authenticateJob(deps, known, token)).toBeNull();
    expect(known.size).toBe(0);
  });

  it("pushes out the oldest that is known, beyond a limit", async () => {
    const { deps } = setup(row);
    const known: KnownJobs = new Map();
    const entry = {
      mac: "",
      caller: { ...caller } as unknown as NonNullable<Awaited<ReturnType<typeof authenticateJob>>>,
    };
    for (let number = 1; number < LIMITS.knownJobs; number += 1) known.set(`job_${number}`, entry);
    await authenticateJob(deps, known, token);
    expect([known.size, known.has("job_1")]).toEqual([LIMITS.knownJobs, true]);
    const next = fakeId("job", 2);
    await authenticateJob(deps, known, jobToken(cipher, next));
    expect([known.size, known.has("job_1"), known.has("job_2"), known.has(next)]).toEqual([
      LIMITS.knownJobs,
      false,
      true,
      true,
    ]);
  });
});

describe("the token of a runner", () => {
  const secret = newRunnerSecret((count) => new Uint8Array(count).fill(255));
  const row = { id: "rtok_1", pool_id: "pool_1", last_used_at: AT };
  const minutesAgo = (ms: number) => new Date(Date.parse(AT) - ms).toISOString();

  it("has 256 random bits, and is stored as a hash", async () => {
    expect(secret).toBe(`hpr_${Buffer.alloc(32, 255).toString("base64url")}`);
    const { deps, statements } = setup(row);
    expect(await authenticateRunner(deps, secret)).toEqual({ type: "runner", poolId: "pool_1", tokenId: "rtok_1" });
    expect(statements.map(({ parameters }) => parameters)).toEqual([[hashSecret(secret), AT]]);
  });

  it("of the embedded runner is known without a statement", async () => {
    const { deps, statements } = setup();
    expect(runnerToken(cipher).startsWith("hpr_")).toBe(true);
    expect(runnerToken(cipher)).not.toBe(runnerToken(other));
    expect(await authenticateRunner(deps, runnerToken(cipher))).toEqual({ type: "runner", poolId: null });
    expect(statements).toEqual([]);
    expect(await authenticateRunner(deps, `${runnerToken(cipher)}x`)).toBeNull();
  });

  it.each([
    ["with another prefix", secret.replace("hpr_", "hpt_")],
    ["that is too long", `hpr_${"x".repeat(197)}`],
    ["that is empty", ""],
  ])("is refused without a statement: one %s", async (_case, text) => {
    const { deps, statements } = setup(row);
    expect(await authenticateRunner(deps, text)).toBeNull();
    expect(statements).toEqual([]);
  });

  it("may have 200 characters", async () => {
    expect(await authenticateRunner(setup(row).deps, `hpr_${"x".repeat(196)}`)).not.toBeNull();
  });

  it("that is unknown is refused", async () => {
    expect(await authenticateRunner(setup().deps, secret)).toBeNull();
  });

  it.each([
    [AT, false],
    [minutesAgo(60_000), false],
    [minutesAgo(60_001), true],
    [null, true],
  ])("that was last used at %s notes its use: %s", async (lastUsedAt, isNoted) => {
    const { deps, statements } = setup({ ...row, last_used_at: lastUsedAt });
    await authenticateRunner(deps, secret);
    expect(statements.slice(1).map(({ parameters }) => parameters)).toEqual(isNoted ? [[AT, "rtok_1"]] : []);
  });
});
