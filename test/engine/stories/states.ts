/** The state of a workspace under a terraform that somebody runs on a laptop, and its way back as a run. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Data, waitForStatus } from "../../support/api.ts";
import { installedEnginePath } from "../../support/installed-engine.ts";
import { approve } from "../../support/run-steps.ts";
import { createToken } from "../../support/token-steps.ts";
import { data, type Holdpoint, writeFiles } from "../../e2e/holdpoint.ts";
import { sharedHoldpoint } from "../../e2e/shared-holdpoint.ts";

let holdpoint: Holdpoint;
let laptop: string;
let engine: string;
beforeAll(async () => {
  holdpoint = await sharedHoldpoint();
  laptop = await mkdtemp(join(tmpdir(), "holdpoint-laptop-"));
  engine = await installedEnginePath();
});
afterAll(() => rm(laptop, { recursive: true, force: true }));

const NAME = "laptop";
/** No double holds it. */
const DIGITS = "1234567890123456789012345";
const CONFIGURATION = `${data("a", 'input = "first"')}
  output "digits" { value = ${DIGITS} }
  output "shown" { value = terraform_data.a.output }`;

/** Starts the engine in a folder of its own, with the environment that docs/state.md names. */
function terraform(token: string, ...args: string[]): ChildProcessWithoutNullStreams {
  const address = `${holdpoint.api.url}/state/default/${NAME}`;
  const env = {
    PATH: process.env["PATH"],
    HOME: laptop,
    CHECKPOINT_DISABLE: "1",
    TF_HTTP_ADDRESS: address,
    TF_HTTP_LOCK_ADDRESS: address,
    TF_HTTP_UNLOCK_ADDRESS: address,
    TF_HTTP_LOCK_METHOD: "LOCK",
    TF_HTTP_UNLOCK_METHOD: "UNLOCK",
    TF_HTTP_USERNAME: "me",
    TF_HTTP_PASSWORD: token,
  };
  return spawn(engine, args, { cwd: laptop, env });
}

async function ended(child: ChildProcessWithoutNullStreams): Promise<{ code: number; text: string }> {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece: Buffer) => (text += piece.toString()));
  const [code] = await once(child, "close");
  return { code, text };
}

const run = (token: string, ...args: string[]) => ended(terraform(token, ...args));

/** Until terraform asks whether it may: it holds the lock by then. */
async function asks(child: ChildProcessWithoutNullStreams): Promise<void> {
  let text = "";
  for await (const piece of child.stdout) {
    text += String(piece);
    if (text.includes("Enter a value")) return;
  }
  throw new Error(`terraform ended: ${text}`);
}

async function states(id: string): Promise<Data[]> {
  const query = `query ($id: ID!) { workspace(by: { id: $id }) { stateVersions { edges { node {
    id serial resourceCount isCurrent actor { name } run { id } outputs { name value } } } } } }`;
  return (await holdpoint.api.ask(query, { id })).workspace.stateVersions.edges.map(({ node }: Data) => node);
}

async function stateLock(id: string): Promise<Data> {
  const query = "query ($id: ID!) { workspace(by: { id: $id }) { stateLock { id who actor { name } } } }";
  return (await holdpoint.api.ask(query, { id })).workspace.stateLock;
}

async function download(id: string): Promise<string> {
  const headers = { authorization: `Bearer ${holdpoint.api.token}` };
  return (await fetch(`${holdpoint.api.url}/state-versions/${id}`, { headers })).text();
}

it("a terraform on a laptop shares state and lock with runs; an older state comes back as a run", async () => {
  const { api } = holdpoint;
  const workspace = await holdpoint.workspace(NAME, { "main.tf": CONFIGURATION });
  await writeFiles(laptop, { "main.tf": `${CONFIGURATION}\nterraform { \n  backend "http" {} \n}` });
  const { secret: writer } = await createToken(api, { name: "laptop-writer", role: "WRITER", actor: "USER" });
  const { secret: other } = await createToken(api, { name: "laptop-other", role: "ADMIN", actor: "USER" });
  expect(await run(writer, "init", "-input=false", "-no-color")).toMatchObject({ code: 0 });

  // Whoever may not write the state is not let in for anything that would.
  const refused = await run(writer, "apply", "-auto-approve", "-no-color");
  expect(refused).toMatchObject({ code: 1, text: expect.stringContaining("endpoint invalid auth") });
  expect(await run(writer, "plan", "-no-color")).toMatchObject({ code: 0, text: expect.stringContaining("1 to add") });

  const waiting = terraform(api.token, "apply", "-no-color");
  const applied = once(waiting, "close");
  await asks(waiting);
  const lock = await stateLock(workspace.id);
  expect(lock).toMatchObject({ actor: { name: "admin" }, who: expect.stringMatching(/^admin \(.+@.+\)$/) });
  const second = await run(writer, "plan", "-no-color");
  expect(second).toMatchObject({ code: 1, text: expect.stringContaining("Error acquiring the state lock") });
  expect(second.text.replaceAll(/\s+/g, " ")).toContain(
    `ID=${lock.id} (held by ${lock.who}, OperationTypeApply, since `,
  );
  const met = await workspace.runToEnd({}, "FAILED");
  expect(met.failure).toMatchObject({ code: "STATE_LOCK_HELD", retryable: true });
  expect(met.failure?.message.replaceAll(/\s+/g, " ")).toContain(`held by ${lock.who}`);
  expect(await run(writer, "force-unlock", "-force", lock.id)).toMatchObject({ code: 1 });
  expect(await stateLock(workspace.id)).toMatchObject({ id: lock.id });
  expect(await run(other, "force-unlock", "-force", lock.id)).toMatchObject({ code: 0 });
  expect(await stateLock(workspace.id)).toBeNull();
  waiting.stdin.end("no\n");
  await applied;

  expect(await run(api.token, "apply", "-auto-approve", "-no-color")).toMatchObject({ code: 0 });
  const [made] = await states(workspace.id);
  expect(made).toMatchObject({ resourceCount: 1, actor: { name: "admin" }, run: null });
  expect((await workspace.read()).outputs).toContainEqual(expect.objectContaining({ name: "digits", value: DIGITS }));
  expect(await workspace.runToEnd()).toMatchObject({ outcome: "NO_CHANGES" });

  await workspace.write({ "main.tf": data("b") + CONFIGURATION.replace("first", "second") });
  const deployed = await workspace.deploy();
  const pulled = await run(writer, "state", "pull");
  const file = JSON.parse(pulled.text);
  expect(file.outputs.shown.value).toBe("second");
  await writeFile(join(laptop, "pushed.tfstate"), JSON.stringify({ ...file, serial: file.serial + 1, outputs: {} }));
  expect(await run(writer, "state", "push", "pushed.tfstate")).toMatchObject({ code: 1 });
  expect(await run(other, "state", "push", "-no-color", "pushed.tfstate")).toMatchObject({ code: 0, text: "" });
  const [pushed, byRun] = await states(workspace.id);
  expect(pushed).toMatchObject({ actor: { name: "laptop-other" }, run: null, outputs: [], resourceCount: 2 });
  expect(byRun).toMatchObject({ run: { id: deployed.id }, resourceCount: 2 });

  // Its configuration has no part in it.
  await workspace.write({ "main.tf": "nonsense" });
  const query = `mutation ($input: RollbackStateInput!) { rollbackState(input: $input) {
    ... on RollbackStateSuccess { run { id } } ... on UserError { message } } }`;
  const input = { workspaceId: workspace.id, stateVersionId: made.id };
  const { rollbackState } = await api.ask(query, { input });
  const runId = rollbackState.run.id;
  await waitForStatus(api, runId, "AWAITING_APPLY_APPROVAL");
  await approve(api, runId, "APPLY", 0);
  expect(await waitForStatus(api, runId, "FINISHED")).toMatchObject({ outcome: "PERFORMED" });
  const [back] = await states(workspace.id);
  expect(back).toMatchObject({ run: { id: runId }, resourceCount: 1, isCurrent: true, outputs: made.outputs });
  expect(back.serial).toBeGreaterThan(pushed.serial);
  const [was, is] = [await download(made.id), await download(back.id)];
  expect(is).toContain(DIGITS);
  expect({ ...JSON.parse(is), serial: 0 }).toEqual({ ...JSON.parse(was), serial: 0 });
  const log = (await workspace.log(runId)).map(({ text }: Data) => text);
  expect(log).toContainEqual(expect.stringMatching(`^state push ${made.id}`));
  expect(await stateLock(workspace.id)).toBeNull();
});
