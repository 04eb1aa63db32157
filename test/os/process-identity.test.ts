import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { isSameProcess, ownIdentity, processIdentity } from "../../src/os/process-identity.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

async function startSleeper(): Promise<{ child: ChildProcess; pid: number }> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  children.push(child);
  await once(child, "spawn");
  if (child.pid === undefined) throw new Error("no pid");
  return { child, pid: child.pid };
}

test("a running process has an identity that stays the same", () => {
  expect(ownIdentity()).toEqual(processIdentity(process.pid));
  expect(isSameProcess(ownIdentity())).toBe(true);
});

test("a process that was killed has none", async () => {
  const { child, pid } = await startSleeper();
  const identity = processIdentity(pid);
  if (identity === null) throw new Error("it runs");
  expect(isSameProcess(identity)).toBe(true);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(processIdentity(pid)).toBeNull();
  expect(isSameProcess(identity)).toBe(false);
});

test("another process under the same pid is another one", () => {
  expect(isSameProcess({ pid: process.pid, startedAt: "earlier" })).toBe(false);
});

test.each([0, -1, 1.5, Number.NaN, 2 ** 40])("%s is no process", (pid) => {
  expect(processIdentity(pid)).toBeNull();
});
