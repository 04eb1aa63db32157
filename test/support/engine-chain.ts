/** Workspaces in a row for a real engine: each takes the output of the one before it, and is applied without a person. */
import { TestWorkspace, type Files } from "../e2e/holdpoint.ts";
import type { Api, Data } from "./api.ts";
import { waitUntil } from "./eventually.ts";

const NAMES = ["one", "two", "three", "four", "five"] as const;
export type LinkName = (typeof NAMES)[number];

/** The files of a workspace: `value` is the expression of its output. */
export function linkConfiguration(name: LinkName, { value, fails = false }: { value: string; fails?: boolean }): Files {
  const variable = name === "one" ? "" : 'variable "value" { type = string }\n';
  const input = name === "one" ? value : "var.value";
  const lifecycle = `  lifecycle {
    precondition {
      condition     = length(var.value) == 0
      error_message = "It must fail."
    }
  }\n`;
  const resource = `resource "terraform_data" "link" {\n  input = ${input}\n${fails ? lifecycle : ""}}\n`;
  return { "main.tf": `${variable}${resource}output "value" { value = ${value} }\n` };
}

async function send(api: Api, name: string, input: object, fields: string): Promise<Data> {
  const type = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const query = `mutation ($input: ${type}Input!) { ${name}(input: $input) {
    ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
  const answer = (await api.ask(query, { input }))[name];
  if (answer.code !== undefined) throw new Error(`${name}: ${answer.message}`);
  return answer;
}

/** A workspace of the row. */
export class Link extends TestWorkspace {
  /** Takes the output of another one, and of no other. */
  async dependOn(upstream: TestWorkspace): Promise<void> {
    const dependencies = [{ upstreamId: upstream.id, outputs: [{ output: "value", key: "value" }] }];
    await send(this.api, "setWorkspaceDependencies", { workspaceId: this.id, dependencies }, "workspace { id }");
  }

  /** A run that nobody decides about, to its end. */
  async finishAlone(): Promise<void> {
    const id = await this.createRun();
    const query = "query ($id: ID!) { run(id: $id) { outcome isTerminal } }";
    let run: Data;
    await waitUntil(async () => {
      run = (await this.api.ask(query, { id })).run;
      return run.isTerminal;
    }, 180_000);
    if (run?.outcome !== "APPLIED" && run?.outcome !== "NO_CHANGES")
      throw new Error(`The run ended with ${run?.outcome}.`);
  }

  async output(name: string): Promise<unknown> {
    const query = "query ($id: ID!) { workspace(by: { id: $id }) { outputs { name value } } }";
    const { outputs } = (await this.api.ask(query, { id: this.id })).workspace;
    return outputs.find((one: Data) => one.name === name)?.value;
  }
}

/** Creates the five workspaces, with their dependencies. */
export async function createChain(
  api: Api,
  create: (name: string, files: Files) => Promise<TestWorkspace>,
  prefix: string,
): Promise<Link[]> {
  const links: Link[] = [];
  for (const [index, name] of NAMES.entries()) {
    const value = index === 0 ? '"v1"' : `"\${var.value}-${index + 1}"`;
    const { path, id } = await create(`${prefix}-${name}`, linkConfiguration(name, { value }));
    const settings = { workspaceId: id, planApproval: "WHEN_REQUIRED", autoApply: "ALWAYS" };
    await send(api, "updateWorkspace", settings, "workspace { id }");
    const link = new Link(api, path, id);
    const before = links.at(-1);
    if (before !== undefined) await link.dependOn(before);
    links.push(link);
  }
  return links;
}

const STATE = `query ($id: ID!) { changeset(id: $id) { id state counts { workspaces }
  runs(first: 100) { edges { node { id status outcome reason isTerminal appliedAt workspace { id } } } } } }`;

/** Waits until all runs of a changeset have ended. */
export async function stateOf(api: Api, id: string, patienceMs: number): Promise<Data> {
  const read = async (): Promise<Data> => (await api.ask(STATE, { id })).changeset;
  await waitUntil(async () => {
    const { runs, counts } = await read();
    return runs.edges.length === counts.workspaces && runs.edges.every(({ node }: Data) => node.isTerminal);
  }, patienceMs);
  // The state of what was read just now may be older than its runs: a request reads one after the other.
  return read();
}

/** Opens a changeset, and waits until all of its runs have ended. */
export async function runDependent(api: Api, input: object, patienceMs: number): Promise<Data> {
  const { changeset } = await send(api, "createChangeset", input, "changeset { id }");
  return stateOf(api, changeset.id, patienceMs);
}

/** Opens a changeset, and returns its id. */
export async function openTogether(api: Api, input: object): Promise<string> {
  return (await send(api, "createChangeset", input, "changeset { id }")).changeset.id;
}
