import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, constants, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inheritable } from "../../src/runner/engine-environment.ts";
import { preparePipes } from "../../src/runner/engine-pipes.ts";
import {
  type EngineHabit,
  EngineTurn,
  mayStartEarly,
  TurnDropped,
  type TurnPlace,
} from "../../src/runner/engine-turn.ts";
import { findEngine } from "../../src/runner/find-engine.ts";
import { waitUntil } from "../support/eventually.ts";
import { RunnerHarness, variable } from "../support/runner-harness.ts";

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

test("one that has not come to its settings yet goes on as well where the runner is killed", async () => {
  const place = await (await turnOf({ waits: true })).enter();
  const stop = new AbortController();
  const child = spawn("/bin/sh", ["-c", "sleep 60"], { detached: true });
  place?.started(child.pid ?? 0, stop.signal);
  const reader = openSync(place?.environment["TF_CLI_CONFIG_FILE"] ?? "", constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    // The runner holds it: without that this would be its end, and whoever opens it would wait.
    expect(() => readSync(reader, Buffer.alloc(1))).toThrow("EAGAIN");
  } finally {
    closeSync(reader);
    process.kill(-(child.pid ?? 0), "SIGKILL");
    stop.abort();
  }
});

test("its settings can be read by everybody, whatever the umask", async () => {
  const turn = await turnOf({ waits: true });
  const place = await turn.enter();
  const before = process.umask(0o077);
  try {
    const { exit } = start('cat "$TF_CLI_CONFIG_FILE"', place);
    turn.give();
    expect(await exit).toEqual([0, null]);
  } finally {
    process.umask(before);
  }
  const { mode } = await stat(place?.environment["TF_CLI_CONFIG_FILE"] ?? "");
  expect(mode & 0o777).toBe(0o644);
});

test("not started early: what has settings, hooks, a command before it, or a bound on its processes", () => {
  const job = {
    hooks: [],
    variables: [variable("A", "b", { category: "ENVIRONMENT" }), variable("TERRAFORM_CONFIG", "")],
  };
  const bounds = { maxProcesses: null, maxMemoryBytes: 1, maxFileBytes: 1 };
  expect(mayStartEarly(job, { bounds, prefix: [] })).toBe(true);
  for (const name of ["TF_CLI_CONFIG_FILE", "TERRAFORM_CONFIG", "XDG_CONFIG_HOME"]) {
    const variables = [variable(name, "settings", { category: "ENVIRONMENT" })];
    expect(mayStartEarly({ ...job, variables }, { bounds, prefix: [] })).toBe(false);
  }
  const hooks = [{ stage: "AFTER_PLAN" as const, command: "true" }];
  expect(mayStartEarly({ ...job, hooks }, { bounds, prefix: [] })).toBe(false);
  expect(mayStartEarly(job, { bounds, prefix: ["nice"] })).toBe(false);
  expect(mayStartEarly(job, { bounds: { ...bounds, maxProcesses: 64 }, prefix: [] })).toBe(false);
});

const files = { "main.tf": 'resource "terraform_data" "a" {}\n' };
/** The engine says how it was called before it reads its settings. */
const variables = [variable("TF_LOG", "INFO", { category: "ENVIRONMENT" })];

const SEVERAL_TRIES = { retry: 2, timeout: 120_000 };

/** What is started early while the server hears this. */
const NEXT = new Map([
  ["prepared", "plan"],
  ["initialized", "show"],
]);

// Beside much other work a runner may have missed that its first engine waits, and then starts none of them early.
test("a plan and its descriptions are started early, and say nothing before their turn", SEVERAL_TRIES, async () => {
  await using harness = await RunnerHarness.start();
  // The first init shows whether the engine waits.
  await harness.plan(files);
  const early: string[] = [];
  harness.server.intervene = async ({ path, body }) => {
    if (path !== "messages") return undefined;
    const next = NEXT.get(String(JSON.parse(body.toString()).type));
    if (next === undefined) return undefined;
    const isThere = () => commandsIn(harness.workDir).includes(next);
    if (await waitUntil(isThere).catch(() => false)) early.push(next);
    return undefined;
  };
  await harness.plan(files, { variables });
  expect(early).toEqual(["plan", "show"]);
  const { lines } = harness.server;
  const phases = lines.toSorted((one, other) => one.number - other.number).map(({ phase }) => phase);
  expect(phases.filter((phase, index) => phase !== phases[index - 1])).toEqual(["PREPARE", "INIT", "PLAN"]);
  const calls = lines
    .filter(({ text }) => text.includes("CLI args"))
    .map(({ phase, text }) => [phase, /"(init|plan|show)"/.exec(text)?.[1]]);
  expect(calls).toEqual([
    ["INIT", "init"],
    ["PLAN", "plan"],
    ["PLAN", "show"],
    ["PLAN", "show"],
  ]);
});

test("where the init fails nothing is left of the plan that was started, and it has said nothing", async () => {
  await using harness = await RunnerHarness.start();
  await harness.plan(files);
  await harness.offerPlan({ "main.tf": 'resource "x" {' }, { variables });
  expect(await harness.server.ended()).toMatchObject({ type: "failed", failure: { code: "INIT_FAILED" } });
  expect(commandsIn(harness.workDir)).toEqual([]);
  expect(harness.server.log.match(/CLI args.*/g)).toEqual([expect.stringContaining('"init"')]);
  await expect.poll(() => readdirSync(join(harness.workDir, "jobs"))).toEqual([]);
});

test("a script around the engine is started at its turn", async () => {
  const engine = await findEngine(undefined, inheritable(process.env));
  if (engine === null) throw new Error("There is no engine.");
  const [path, calls] = [join(folder, "engine"), join(folder, "calls")];
  const note = (what: string): string => `echo "${what} $1" >> ${calls}`;
  const script = [note("start"), `${engine.path} "$@"`, "code=$?", note("end"), "exit $code"];
  await writeFile(path, `#!/bin/sh\n${script.join("\n")}\n`);
  await chmod(path, 0o755);
  await using harness = await RunnerHarness.start({ engine: { ...engine, path } });
  await harness.plan(files);
  await rm(calls);
  await harness.plan(files);
  const order = (await readFile(calls, "utf8")).trim().split("\n");
  expect(order.slice(0, 4)).toEqual(["start init", "end init", "start plan", "end plan"]);
});

/** Of the engines that work there. */
function commandsIn(workDir: string): (string | undefined)[] {
  return readdirSync("/proc")
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, "utf8");
      } catch {
        return "";
      }
    })
    .filter((words) => words.includes(join(workDir, "jobs")))
    .map((words) => words.split("\0")[1]);
}
