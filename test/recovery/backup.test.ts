/** A backup carries everything that an installation is into another folder, or nothing at all. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, realpath, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readBackup } from "../../src/persistence/backup/format.ts";
import type { Api, Data } from "../support/api.ts";
import { createWorkspace } from "../support/run-steps.ts";
import { makeDataDir, type ServerProcess, startServerProcess } from "../support/server-process.ts";
import { TestWorkspace, writeFiles } from "../e2e/holdpoint.ts";

const MAIN = fileURLToPath(new URL("../../src/main.mjs", import.meta.url));
const MODULE = {
  "main.tf": `
    variable "password" { sensitive = true }
    resource "terraform_data" "a" { input = var.password }
    output "length" { value = nonsensitive(length(var.password)) }
  `,
};

let root: string;
let first: ServerProcess;
let workspace: TestWorkspace;
let run: { id: string };
/** Made while the server ran. */
let file: string;
/** Folders of servers, with what lies around them. */
const dataDirs: string[] = [];

async function newDataDir(): Promise<string> {
  const dir = await makeDataDir();
  dataDirs.push(dir);
  return dir;
}

const start = (dataDir: string, env: Record<string, string> = {}): Promise<ServerProcess> =>
  startServerProcess({ dataDir, env: { HOLDPOINT_SOURCE_ROOTS: root, ...env } });

async function holdpoint(dataDir: string, args: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"] ?? "", HOLDPOINT_DATA_DIR: dataDir, ...env },
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => (output += String(piece)));
  const [code] = (await once(child, "close")) as [number];
  return { code, output };
}

const FEED = `subscription ($id: ID!, $after: String) { organizationEvents(organizationId: $id, after: $after) {
  __typename ... on StreamItem { cursor } } }`;

async function nextItem(api: Api, after: string | null): Promise<Data> {
  const { organization } = await api.ask('{ organization(slug: "default") { id } }');
  await using items = api.subscribe(FEED, { id: organization.id, after });
  return (await items.next()).value.organizationEvents;
}

const RESUME = `subscription ($id: ID!, $after: String) { EVENTS(runId: $id, after: $after) { __typename } }`;

/** What a stream of a run says first to whoever resumes it. */
async function resumed(api: Api, stream: "runEvents" | "runLog", id: string, after: string): Promise<Data> {
  await using items = api.subscribe(RESUME.replace("EVENTS", stream), { id, after });
  return (await items.next()).value?.[stream];
}

const lastCursor = async (api: Api): Promise<string> => (await nextItem(api, null)).cursor;

/** Does something while others write all the time. */
async function whileBusy<T>(work: () => Promise<T>): Promise<T> {
  let busy = true;
  const writing = (async () => {
    for (let number = 0; busy; number += 1) {
      await workspace.setVariable({ key: "other", value: String(number), sensitive: false, category: "ENVIRONMENT" });
    }
  })();
  try {
    return await work();
  } finally {
    busy = false;
    await writing;
  }
}

async function readAll(path: string): Promise<void> {
  const header = (await Array.fromAsync(readBackup(path))).find(({ type }) => type === "header");
  if (header === undefined) throw new Error("It is no backup.");
}

const workspaceOn = (api: Api): TestWorkspace => new TestWorkspace(api, workspace.path, workspace.id);

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-backup-")));
  first = await start(await newDataDir());
  const path = join(root, "module");
  await writeFiles(path, MODULE);
  workspace = new TestWorkspace(first.api, path, await createWorkspace(first.api, "kept", path));
  await workspace.setVariable({ key: "password", value: "0123456789-secret", sensitive: true });
  run = await workspace.deploy();
  file = join(root, "running.backup");
});

afterAll(async () => {
  await first[Symbol.asyncDispose]();
  for (const dir of [root, ...dataDirs.map(dirname)]) await rm(dir, { recursive: true, force: true });
});

describe("a backup", () => {
  it("is made while the server runs, and an empty folder goes on from it", async () => {
    const cursor = await lastCursor(first.api);
    const ends = `query ($id: ID!) { run(id: $id) { events(first: 2) { pageInfo { endCursor } }
        log(first: 2) { pageInfo { endCursor } } } }`;
    const { events, log } = (await first.api.ask(ends, { id: run.id })).run;
    const made = await whileBusy(() => holdpoint(first.dataDir, ["backup", file]));
    expect(made.output).toContain("contains the master key");
    expect(made.code).toBe(0);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    // What happens afterwards is not in it.
    const later = await workspace.runToEnd();

    const dataDir = await newDataDir();
    const restored = await holdpoint(dataDir, ["restore", file]);
    expect(restored.output).toContain("Start it with npm start");
    expect(restored.code).toBe(0);
    await using second = await start(dataDir);
    expect(second.api.token).toBe(first.api.token);
    const kept = workspaceOn(second.api);
    const query = `query ($id: ID!) { run(id: $id) { status outcome createdBy { name } events(first: 100) { edges { node {
        ... on RunEvent { version } } } } plan { digest text } } }`;
    const before = await first.api.send(query, { id: run.id });
    expect(before.errors).toBeUndefined();
    expect((await second.api.ask(query, { id: run.id })).run).toEqual(before.data.run);
    expect(await kept.log(run.id)).toEqual(await workspace.log(run.id));
    expect((await second.api.ask("query ($id: ID!) { run(id: $id) { id } }", { id: later.id })).run).toBeNull();
    // The state and the secret are there: nothing is left to change.
    const again = await kept.runToEnd();
    expect(again).toMatchObject({ outcome: "NO_CHANGES", number: 2 });
    expect((await kept.read()).outputs).toEqual([{ name: "length", value: 17, sensitive: false }]);
    // Positions after the backup were given to other events: who resumes is told so.
    expect((await nextItem(second.api, cursor)).__typename).toBe("CursorExpired");
    for (const [stream, { pageInfo }] of [
      ["runEvents", events],
      ["runLog", log],
    ] as const) {
      expect((await resumed(first.api, stream, run.id, pageInfo.endCursor)).__typename).not.toBe("CursorExpired");
      expect((await resumed(second.api, stream, run.id, pageInfo.endCursor)).__typename).toBe("CursorExpired");
    }
    // A refusal is recorded in a table that numbers its rows.
    expect(await kept.tryToCreateRun({ targets: [" "] })).toMatchObject({ code: "INVALID_INPUT" });

    const full = await holdpoint(dataDir, ["restore", file]);
    expect(full).toMatchObject({ code: 1, output: expect.stringMatching(/already running/) });
    await second.stop();
    const used = await holdpoint(dataDir, ["restore", file]);
    expect(used).toMatchObject({ code: 1, output: expect.stringMatching(/exists already, and is not replaced/) });
    const over = await holdpoint(first.dataDir, ["backup", file]);
    expect(over).toMatchObject({ code: 1, output: expect.stringMatching(/exists already/) });

    // The same of a server that is stopped, and restored without its key.
    const stopped = join(root, "stopped.backup");
    const without = await holdpoint(dataDir, ["backup", stopped, "--without-key"]);
    expect(without).toMatchObject({ code: 0, output: expect.stringContaining("be decrypted") });
    const secrets = await readFile(join(dataDir, "master.key"), "utf8");

    const keyless = await newDataDir();
    const refused = await holdpoint(keyless, ["restore", stopped]);
    expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/master key is not in the backup/) });
    const wrong = await holdpoint(keyless, ["restore", stopped], { HOLDPOINT_MASTER_KEY: "ab".repeat(32) });
    expect(wrong).toMatchObject({ code: 1, output: expect.stringMatching(/does not fit/) });
    expect(await readdir(dirname(keyless))).toEqual([]);
    const right = await holdpoint(keyless, ["restore", stopped], { HOLDPOINT_MASTER_KEY: secrets.trim() });
    expect(right.code, right.output).toBe(0);

    const opened = await newDataDir();
    const given = await holdpoint(opened, ["restore", stopped, "--without-key"]);
    expect(given).toMatchObject({ code: 0, output: expect.stringContaining("be decrypted") });
    await using third = await start(opened);
    expect((await third.api.ask("query ($id: ID!) { run(id: $id) { status } }", { id: run.id })).run.status).toBe(
      "FINISHED",
    );
  });

  it("that was cut off or changed is refused, and leaves nothing behind", async () => {
    const whole = await readFile(file);
    const dataDir = await newDataDir();
    const bad = join(root, "bad.backup");
    /** Most are only read, as the command does before it makes anything: each start of it costs half a second. */
    const refuse = async (what: string, byCommand: boolean): Promise<void> => {
      await expect(readAll(bad), what).rejects.toThrow(/damaged|not a backup|later version/);
      if (!byCommand) return;
      const { code, output } = await holdpoint(dataDir, ["restore", bad]);
      expect({ what, code }).toEqual({ what, code: 1 });
      expect(output, what).toMatch(/damaged|not a backup|later version/);
      expect(output, what).not.toMatch(/\bat \S+ \(/);
      expect(await readdir(dirname(dataDir)), what).toEqual([]);
    };
    // Node ends a stream of zstd with an empty frame of 9 bytes as well where its end is known before its last piece is
    // compressed. Everything is there without that, whatever stands in its place.
    for (const length of [10, 200, Math.floor(whole.length / 2), whole.length - 10]) {
      await writeFile(bad, whole);
      await truncate(bad, length);
      await refuse(`${length} bytes`, length === 200);
    }
    for (const place of [0, 17, Math.floor(whole.length / 2), whole.length - 10]) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(place) ^ 0x10, place);
      await writeFile(bad, changed);
      await refuse(`byte ${place}`, place === whole.length - 10);
    }
  });

  it.each([
    ["of nothing", ["backup", "/dev/null/x"], /There is no database in/],
    ["from a file that is not there", ["restore", "/nowhere/at.all"], /ENOENT/],
    ["without a file", ["restore"], /Usage: npm run restore/],
    ["with unknown options", ["backup", "--all", "x"], /Usage: npm run backup/],
  ])("%s is refused with a word", async (_name, args, message) => {
    const { code, output } = await holdpoint(await newDataDir(), args);
    expect(code).toBeGreaterThan(0);
    expect(output).toMatch(message);
    expect(output).not.toMatch(/\bat \S+ \(/);
  });
});
