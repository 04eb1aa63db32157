/** A secret goes through whole runs, good and bad, and is looked for afterwards in everything that they left. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Data } from "../support/api.ts";
import { formsOf, hashOf, holds, searchDatabase, searchFolder } from "./canary-search.ts";
import {
  data,
  type Holdpoint,
  MASTER_KEY,
  PATIENCE_MS,
  provisioner,
  startHoldpoint,
  type TestWorkspace,
} from "../e2e/holdpoint.ts";

const ADMIN_TOKEN = "hpt_admin-canary-Zq4vT8mXw2LkR7nB";
/** With everything that is escaped somewhere. */
const SECRET = 'can"ary <&> \\ é %{x} 9fK2pQ7z';
const KEY = "-----BEGIN KEY-----\nfirst-line-canary-Yt5r\n  second-line-canary-Jw8s  \n-----END KEY-----\n";
const PASSWORD = "environment-canary-Hd3v";
const MADE = "made-by-the-configuration-canary-Vb6n";
/** What is looked for: of the key each line that is a secret of its own. */
const HIDDEN = [SECRET, "first-line-canary-Yt5r", "second-line-canary-Jw8s", PASSWORD, MADE, ADMIN_TOKEN, MASTER_KEY];
/** Goes the same ways, but is no secret: the search must find it. */
const MARKER = 'mar"ker <&> visible-4711';

const ONLY_IN_SOURCE = "comment-canary-Lp2x";

const CONFIGURATION = `
  # ${ONLY_IN_SOURCE}
  variable "secret" {}
  variable "key" { sensitive = true }
  variable "marker" {}
  locals { made = sensitive(join("-", ["made", "by", "the", "configuration", "canary", "Vb6n"])) }
  ${data("values", "input = { secret = var.secret, key = var.key, made = local.made }")}
  ${data("plain", "input = var.marker")}
  ${data("each", "for_each = toset([nonsensitive(var.secret), var.marker])\ninput = each.key")}
  ${data(
    "echo",
    `input = var.marker
    ${provisioner('echo "marker $MARKER"; echo "secret $SECRET"; echo "$KEY"; echo "password $PASSWORD" >&2').replace(
      /\n}$/,
      `
      environment = {
        MARKER = var.marker
        SECRET = var.secret
        KEY    = nonsensitive(var.key)
      }
    }`,
    )}`,
  )}
  output "marker" { value = var.marker }
  output "open" { value = { text = "it is \${var.secret}" } }
  output "closed" {
    value     = [var.key, local.made]
    sensitive = true
  }`;

/** Fails with the secret in its message: at the plan, and in the apply. */
const BAD_PLAN = `\n${data(
  "bad",
  `lifecycle {
    precondition {
      condition     = var.marker == ""
      error_message = "marker \${var.marker}, secret \${var.secret}, key \${nonsensitive(var.key)}"
    }
  }`,
)}`;
const COMPLAINT = `"on stderr: $PASSWORD" '\${nonsensitive(var.secret)}' '\${var.marker}'`;
const BAD_APPLY = `\n${data("bad", provisioner(`echo ${COMPLAINT} >&2; exit 3`))}`;

let holdpoint: Holdpoint;
let workspace: TestWorkspace;
let answers = "";
/** What policies read of the plans. */
let documents = "";
beforeAll(async () => {
  holdpoint = await startHoldpoint({ HOLDPOINT_ADMIN_TOKEN: ADMIN_TOKEN, HOLDPOINT_LOG_LEVEL: "trace" });
  workspace = await holdpoint.workspace("canary", { "main.tf": CONFIGURATION });
  await workspace.setVariable({ key: "secret", value: SECRET, sensitive: true });
  await workspace.setVariable({ key: "key", value: KEY, sensitive: true });
  await workspace.setVariable({ key: "PASSWORD", value: PASSWORD, sensitive: true, category: "ENVIRONMENT" });
  await workspace.setVariable({ key: "marker", value: MARKER });
  const { id } = await workspace.plan();
  // What waits at a gate is no business of the runner's disk.
  expect(await searchFolder(holdpoint.server.dataDir, HIDDEN.flatMap(formsOf))).toEqual([]);
  expect((await workspace.finish(id)).outcome).toBe("APPLIED");
  await workspace.write({ "main.tf": CONFIGURATION + BAD_PLAN });
  expect((await workspace.runToEnd({}, "FAILED")).failure?.code).toBe("PLAN_FAILED");
  await workspace.write({ "main.tf": CONFIGURATION + BAD_APPLY });
  const bad = await workspace.finish((await workspace.plan()).id, 1, "FAILED");
  expect(bad.failure?.message).toContain(`on stderr: (sensitive value) (sensitive value) ${MARKER}`);
  answers += JSON.stringify(await everything());
  const destroyed = await workspace.finish((await workspace.plan({ kind: "DESTROY" })).id);
  expect(destroyed.outcome).toBe("DESTROYED");
  await holdpoint.api.send('mutation { createToken(input: { name: "", role: READER }) { __typename } }');
  answers += JSON.stringify(await everything());
}, PATIENCE_MS);
afterAll(() => holdpoint[Symbol.asyncDispose]());

/** Every field of the schema that can hold a text, streams included. */
async function everything(): Promise<unknown[]> {
  const { api } = holdpoint;
  const answer = await api.ask(EVERYTHING, { id: workspace.id });
  const streams: Data[] = [];
  for (const { node } of answer.workspace.runs.edges) {
    for (const { id } of node.plans) documents += await documentOf(id);
    for (const query of [
      "subscription ($id: ID!) { runLog(runId: $id) { ... on LogBatch { lines { text } } } }",
      `subscription ($id: ID!) { runEvents(runId: $id) { __typename ... on RunSnapshot { run { ...text } }
        ... on RunEvent { run { ...text } } } } fragment text on Run { reason failure { message evidence } plan { text } }`,
    ]) {
      for await (const item of api.subscribe(query, { id: node.id })) streams.push(item);
    }
  }
  const schema = await api.ask("{ __schema { types { name description fields { name } } } }");
  return [answer, streams, schema];
}

async function documentOf(planId: string): Promise<string> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const answer = await fetch(`${holdpoint.server.url}/plans/${planId}/policy-input`, { headers });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(text);
  return text;
}

const EVERYTHING = `query ($id: ID!) { viewer { role isAdmin actor { id name } }
  organization(slug: "default") { id name slug workspaces(first: 100) { edges { cursor node { name description } } } }
  workspace(by: { id: $id }) { name description source { ... on DirectorySource { path } } deploymentStatus
    outputs { name value sensitive } variables { key value sensitive category hcl }
    lock { reason note } stateLock { id who operation }
    runs(first: 100) { edges { node { ...everythingOfRun } } } } }
  fragment everythingOfRun on Run { id number kind status outcome message revision targets replace warnings reason
    plan { version } createdBy { id name } blockers { kind message } actions { action allowed code reason }
    dialects { amnify spacelift hcp }
    failure { code stage category summary message likelyCause evidence appliedAddresses }
    approvals { comment actor { name } planDigest } phases { kind runner { name } }
    diagnostics { summary detail address snippet }
    plans { id text digest outputChanges { name before after } diagnostics { summary detail address snippet }
      index { address digest } resourceChanges(first: 100) { edges { node {
      address type name module previousAddress before after sensitivePaths unknownPaths } } } }
    events(first: 100) { edges { cursor node { __typename version actor { name } ... on RunStatusChanged { reason } } } }
    log(first: 5000) { edges { cursor node { text } } } }`;

const secrets = HIDDEN.map((secret) => [secret.slice(0, 12), formsOf(secret)] as const);
const marker = formsOf(MARKER);

describe("after whole runs", () => {
  it.each(secrets)("the database does not hold %s", async (_name, forms) => {
    expect(await searchDatabase(holdpoint.database, forms)).toEqual([]);
  });

  it("but the search finds what may be there", async () => {
    // Nothing of what is sealed: variables, sources, archives, states.
    expect(await searchDatabase(holdpoint.database, marker)).toEqual([
      "public.log_batch.body",
      "public.plan.output_values",
      "public.plan.text_zstd",
      "public.resource_change.address",
      "public.resource_change.after",
      "public.resource_change.before",
      "public.resource_change.index",
      "public.run_diagnostics.diagnostics",
      "public.run.failure",
      "public.state_version.outputs",
    ]);
    expect(await searchDatabase(holdpoint.database, formsOf(ONLY_IN_SOURCE))).toEqual([]);
    expect(await searchDatabase(holdpoint.database, [hashOf(ADMIN_TOKEN)])).toEqual(["public.token.secret_hash"]);
  });

  it.each(secrets)("no answer holds %s", (_name, forms) => {
    expect(holds(answers, forms)).toBe(false);
    expect(holds(documents, forms)).toBe(false);
  });

  it.each(secrets)("neither the server's output nor the data folder holds %s", async (_name, forms) => {
    expect(holds(holdpoint.server.output(), forms)).toBe(false);
    expect(await searchFolder(holdpoint.server.dataDir, forms)).toEqual([]);
  });

  it("but the search finds what may be there, in whatever form", async () => {
    expect(holds(answers, marker)).toBe(true);
    expect(holds(documents, marker)).toBe(true);
    for (const part of ["prior_state", "configuration", "planned_values"]) expect(documents).toContain(`"${part}":{`);
    expect(answers).toContain("(sensitive value)");
    expect(holds(holdpoint.server.output(), formsOf(holdpoint.server.url))).toBe(true);
    const planted = join(holdpoint.server.dataDir, "runner", "planted");
    for (const text of [SECRET, JSON.stringify({ SECRET }), Buffer.from(`..${SECRET}..`).toString("base64")]) {
      await writeFile(planted, `before ${text} after`);
      expect(await searchFolder(holdpoint.server.dataDir, formsOf(SECRET))).toEqual([planted]);
    }
  });
});
