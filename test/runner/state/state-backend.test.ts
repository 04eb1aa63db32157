import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { JobControl } from "../../../src/runner/job/job-control.ts";
import { RUNNER_LIMITS, type RunnerLimits } from "../../../src/runner/kit/runner-limits.ts";
import type { JobClient, StateAnswer } from "../../../src/runner/server/job-client.ts";
import { ServerAway } from "../../../src/runner/server/server-request.ts";
import { type StateAccess, StateBackend } from "../../../src/runner/state/state-backend.ts";
import { StateDelivery } from "../../../src/runner/state/state-delivery.ts";
import { waitUntil } from "../../support/eventually.ts";

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
/** As patient as the product: what is waited for in vain says so itself. */
const LIMITS = { ...RUNNER_LIMITS, backOffFirstMs: 1, backOffLastMs: 2 };
type Server = Pick<JobClient, "state">["state"];

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-state-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const ok = (status = 200, body = ""): StateAnswer => ({ status, body: Buffer.from(body) });

async function open(access: StateAccess, state: Server, less: Partial<RunnerLimits> = {}) {
  const limits = { ...LIMITS, ...less };
  const control = new JobControl(1000);
  const calls: string[] = [];
  const client = {
    state: (...args: Parameters<Server>) => {
      calls.push(`${args[0]} ${args[1]}`);
      return state(...args);
    },
  };
  const id = createHash("sha256").update(folder).digest("hex");
  const undeliveredFile = join(folder, "undelivered");
  const common = { client, control, randomId: () => id, limits, log: quiet };
  const delivery = new StateDelivery({
    ...common,
    undeliveredFile,
    lockFile: join(folder, "lock"),
    clock: () => new Date(0),
  });
  const backend = await StateBackend.open({ ...common, access, delivery, onState: () => undefined });
  const { TF_HTTP_ADDRESS: address = "", TF_HTTP_USERNAME: user, TF_HTTP_PASSWORD: password } = backend.environment;
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
  const send = (method: string, body?: string, query = "", auth = authorization) =>
    fetch(address + query, { method, body: body ?? null, headers: { authorization: auth } });
  return { backend, delivery, control, calls, send, undeliveredFile };
}

const lock = JSON.stringify({ ID: "mine" });

test("only the phase's password opens it, and only for what the phase may do", async () => {
  const { backend, send, calls } = await open("LOCK", async () => ok(200, '{"serial":7}'));
  await using _ = backend;
  expect((await send("GET", undefined, "", "Basic eDp5")).status).toBe(401);
  expect((await send("GET", undefined, "", "")).status).toBe(401);
  expect((await send("GET")).status).toBe(200);
  expect(backend.readSerial).toBe(7);
  expect((await send("LOCK", lock)).status).toBe(200);
  expect((await send("POST", "{}", "?ID=mine")).status).toBe(403);
  expect((await send("UNLOCK", "")).status).toBe(403);
  expect((await send("UNLOCK", lock)).status).toBe(200);
  expect((await send("GET", undefined, "/else")).status).toBe(404);
  expect(calls).toEqual(["GET state", "POST state/lock", "POST state/unlock"]);
});

test("under its own lock the state is asked for once; what is written is what is read", async () => {
  const { backend, send, calls } = await open("WRITE", async (method) =>
    ok(200, method === "GET" ? '{"serial":7}' : ""),
  );
  const read = async () => (await send("GET")).text();
  expect([await read(), await read()]).toEqual(['{"serial":7}', '{"serial":7}']);
  await send("LOCK", lock);
  expect([await read(), await read()]).toEqual(['{"serial":7}', '{"serial":7}']);
  await send("POST", '{"serial":8}', "?ID=mine");
  expect(await read()).toBe('{"serial":8}');
  expect(backend.readSerial).toBe(8);
  await send("UNLOCK", lock);
  expect(await read()).toBe('{"serial":7}');
  await backend[Symbol.asyncDispose]();
  const asked = calls.filter((call) => call === "GET state");
  expect([asked.length, calls.indexOf("POST state/lock")]).toEqual([4, 2]);
});

test("the engine does not wait for its lock to be released, and the next one to take it does", async () => {
  const released = Promise.withResolvers<void>();
  const { backend, delivery, send, calls } = await open("WRITE", async (_method, path) => {
    if (path === "state/unlock") await released.promise;
    return ok();
  });
  await send("LOCK", lock);
  expect((await send("UNLOCK", lock)).status).toBe(200);
  expect(delivery.lockHeld).toBe(true);
  const again = send("LOCK", lock);
  expect((await send("GET")).status).toBe(200);
  expect(calls).toEqual(["POST state/lock", "POST state/unlock", "GET state"]);
  released.resolve();
  expect((await again).status).toBe(200);
  expect((await send("UNLOCK", lock)).status).toBe(200);
  await backend[Symbol.asyncDispose]();
  expect(delivery.lockHeld).toBe(false);
  expect(calls.slice(3)).toEqual(["POST state/lock", "POST state/unlock"]);
});

test("what was asked for before a write, or under an earlier lock, is not what is read afterwards", async () => {
  const late: ((answer: StateAnswer) => void)[] = [];
  const { backend, send } = await open("WRITE", async (method) => {
    if (method !== "GET" || late.length === 2) return ok(200, method === "GET" ? '{"serial":9}' : "");
    const { promise, resolve } = Promise.withResolvers<StateAnswer>();
    late.push(resolve);
    return promise;
  });
  await using _ = backend;
  const read = async () => (await send("GET")).text();
  const asked = async (count: number) => waitUntil(() => late.length === count, { interval: 1 });

  await send("LOCK", lock);
  const beforeWrite = read();
  await asked(1);
  await send("POST", '{"serial":8}', "?ID=mine");
  late[0]?.(ok(200, '{"serial":7}'));
  await beforeWrite;
  expect(await read()).toBe('{"serial":8}');

  await send("UNLOCK", lock);
  await send("LOCK", lock);
  const beforeUnlock = read();
  await asked(2);
  await send("UNLOCK", lock);
  await send("LOCK", lock);
  late[1]?.(ok(200, '{"serial":8}'));
  await beforeUnlock;
  expect(await read()).toBe('{"serial":9}');
});

test("the server's refusals reach the engine with their bodies", async () => {
  const { backend, send } = await open("WRITE", async (_method, path) =>
    ok(path === "state/lock" ? 423 : 409, '{"ID":"theirs"}'),
  );
  await using _ = backend;
  const locked = await send("LOCK", lock);
  expect([locked.status, await locked.text()]).toEqual([
    423,
    JSON.stringify({ ID: "theirs (held by an unnamed client)", HolderID: "theirs" }),
  ]);
  expect(backend.lockRefused).toBe(true);
  expect((await send("POST", "{}", "?ID=mine")).status).toBe(409);
});

test("a state is on disk until the server has it, and is delivered although the engine was told otherwise", async () => {
  let away = true;
  const state = async (): Promise<StateAnswer> => {
    if (away) throw new ServerAway("away");
    return ok();
  };
  const { backend, send, delivery, undeliveredFile } = await open("WRITE", state, { stateHoldMs: 50 });
  await using _ = backend;
  expect((await send("POST", '{"serial":1}', "?ID=mine")).status).toBe(503);
  expect(await readFile(undeliveredFile, "utf8")).toBe('{"serial":1}');
  away = false;
  expect(await delivery.settle(undefined)).toBeNull();
  await expect(readFile(undeliveredFile)).rejects.toThrow("ENOENT");
});

test("what the engine left is stored under a lock of the runner's own, which is given back", async () => {
  const { backend, delivery, calls } = await open("WRITE", async () => ok());
  await using _ = backend;
  expect(await delivery.settle(Buffer.from("{}"))).toBeNull();
  expect(calls.map((call) => call.replace(/=.*/, ""))).toEqual([
    "POST state/lock",
    "POST state?ID",
    "POST state/unlock",
  ]);
});

test("a state that cannot be stored in time stays on disk", async () => {
  const state = (): Promise<StateAnswer> => Promise.reject(new ServerAway("away"));
  const { backend, delivery, undeliveredFile } = await open("WRITE", state, { stateSettleMs: 200 });
  await using _ = backend;
  expect(await delivery.settle(Buffer.from('{"serial":2}'))).toEqual({ problem: "The server did not answer" });
  expect(await readFile(undeliveredFile, "utf8")).toBe('{"serial":2}');
});

test("a job that is over is told to the engine", async () => {
  const { backend, send, control } = await open("WRITE", async () => ok());
  await using _ = backend;
  control.lose();
  expect((await send("GET")).status).toBe(410);
});

test("a state of a job that is over is brought all the same, and the engine hears that it is stored", async () => {
  const { backend, send, delivery, control, calls, undeliveredFile } = await open("WRITE", async (_method, path) => {
    if (path.startsWith("state?")) return ok(202, '{"recovered":true}');
    control.lose();
    return ok(410);
  });
  await using _ = backend;
  // The engine is being interrupted because the heartbeat was refused.
  control.lose();
  expect((await send("POST", '{"serial":3}', "?ID=mine")).status).toBe(200);
  await expect(readFile(undeliveredFile)).rejects.toThrow("ENOENT");
  expect(await delivery.settle(Buffer.from('{"serial":4}'))).toBeNull();
  await expect(readFile(undeliveredFile)).rejects.toThrow("ENOENT");
  expect(calls).toEqual(["POST state?ID=mine", "POST state?ID="]);
});

test("that the job is over is found out while its state is brought", async () => {
  const { backend, delivery, control, calls } = await open("WRITE", async (_method, path) => {
    if (path.startsWith("state?")) return ok(202, '{"recovered":true}');
    control.lose();
    return ok(410);
  });
  await using _ = backend;
  expect(await delivery.settle(Buffer.from('{"serial":4}'))).toBeNull();
  expect(calls).toEqual(["POST state/lock", "POST state?ID="]);
});

test("a state that is refused to a job that is over stays on disk", async () => {
  const { backend, delivery, control, undeliveredFile } = await open("WRITE", async () => ok(410));
  await using _ = backend;
  control.lose();
  expect(await delivery.settle(Buffer.from("{}"))).toEqual({ problem: "The server refused the state: status 410" });
  expect(await readFile(undeliveredFile, "utf8")).toBe("{}");
});
