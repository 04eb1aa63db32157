import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inheritable } from "../../src/runner/engine-environment.ts";
import { preparePipes } from "../../src/runner/engine-pipes.ts";
import { type EngineHabit, EngineTurn, TurnDropped, type TurnPlace } from "../../src/runner/engine-turn.ts";
import { findEngine } from "../../src/runner/find-engine.ts";
import { RunnerHarness } from "../support/runner-harness.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "holdpoint-turn-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function turnOf(habit: EngineHabit): Promise<EngineTurn> {
  await preparePipes(folder);
  return new EngineTurn({ habit, isAllowed: true, folder, uid: null });
}

function start(script: string, place: TurnPlace | null) {
  const child = spawn("/bin/sh", ["-c", script], { detached: true, env: { ...process.env, ...place?.environment } });
  const ended = new AbortController();
  const exit = once(child, "exit").finally(() => ended.abort());
  place?.started(child.pid ?? 0, ended.signal);
  return { output: text(child.stdout), exit };
}

test("an engine that was started early does nothing before its turn, and finds no settings then, nor does what it starts", async () => {
  const turn = await turnOf({ waits: true });
  const place = await turn.enter();
  const marks = join(folder, "marks");
  const script = `echo came > ${marks}; cat "$TF_CLI_CONFIG_FILE"; echo went >> ${marks}; cat "$TF_CLI_CONFIG_FILE"; echo end`;
  const { output, exit } = start(script, place);
  await expect.poll(() => readFile(marks, "utf8").catch(() => "")).toBe("came\n");
  // Another process comes and goes meanwhile.
  await once(spawn("true"), "exit");
  expect(await readFile(marks, "utf8")).toBe("came\n");
  turn.give();
  expect([await exit, await output]).toEqual([[0, null], "end\n"]);
});

test("one whose turn never comes is ended, also where it does not wait", async () => {
  const turn = await turnOf({ waits: true });
  const running = ['cat "$TF_CLI_CONFIG_FILE"', "sleep 60"].map(
    async (script) => start(script, await turn.enter()).exit,
  );
  await turn.enter();
  turn.drop();
  expect(await Promise.all(running)).toEqual([
    [null, "SIGKILL"],
    [null, "SIGKILL"],
  ]);
});

test("only one that was seen to wait is started early", async () => {
  for (const [script, waits] of [
    ['cat "$TF_CLI_CONFIG_FILE"', true],
    ["true", false],
  ] as const) {
    const habit: EngineHabit = { waits: null };
    const early = (await turnOf(habit)).enter();
    expect(await Promise.race([early, Promise.resolve("nothing")])).toBe("nothing");
    const turn = await turnOf(habit);
    turn.give();
    expect(await start(script, await turn.enter()).exit).toEqual([0, null]);
    await expect.poll(() => habit.waits).toBe(waits);
  }
  const dropped = await turnOf({ waits: false });
  dropped.drop();
  await expect(dropped.enter()).rejects.toThrow(TurnDropped);
});

test("a plan and its descriptions are started early, unless the engine has settings of its own", async () => {
  const engine = await findEngine(undefined, inheritable(process.env));
  if (engine === null) throw new Error("There is no engine.");
  for (const [settings, isEarly] of [
    ["", true],
    ["export TF_CLI_CONFIG_FILE=/dev/null", false],
  ] as const) {
    const [path, calls] = [join(folder, "engine"), join(folder, "calls")];
    const note = (what: string): string => `echo "${what} $1" >> ${calls}`;
    const script = [settings, note("start"), `${engine.path} "$@"`, "code=$?", note("end"), "exit $code"];
    await writeFile(path, `#!/bin/sh\n${script.join("\n")}\n`);
    await chmod(path, 0o755);
    await using harness = await RunnerHarness.start({ engine: { ...engine, path } });
    const files = { "main.tf": 'resource "terraform_data" "a" {}\n' };
    // The first one shows whether it waits.
    await harness.plan(files);
    await rm(calls);
    await harness.plan(files);
    const order = (await readFile(calls, "utf8")).trim().split("\n");
    expect(order.indexOf("start plan") < order.indexOf("end init")).toBe(isEarly);
    expect(order.indexOf("start show") < order.indexOf("end plan")).toBe(isEarly);
    expect(order.filter((line) => line.startsWith("end"))).toEqual(["end init", "end plan", "end show", "end show"]);
  }
});
