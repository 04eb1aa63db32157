/** Runs that policies judge before they are created. */
import type { Evaluator } from "../../src/model/policy/evaluator.ts";
import type { Scene } from "../domain/scene.ts";
import type { Api, Data } from "./api.ts";
import { attach } from "./judged-runs.ts";
import type { NewPolicy, NewPolicySet } from "./judgement-rows.ts";

type Creating = "createRun" | "retryRun" | "promoteRun" | "rollbackRun" | "rollbackState";

/** Sends a command that creates a run, with the results of a denial. */
export async function sendCreation(api: Api, name: Creating, input: object): Promise<Data> {
  const type = name.charAt(0).toUpperCase() + name.slice(1);
  const query = `mutation ($input: ${type}Input!) { done: ${name}(input: $input) { __typename
    ... on ${type}Success { run { id status policyWarnings } } ... on UserError { code message }
    ... on PolicyDeniedError { results { policySet { id } policySetName policy rule level status message remediation } } } }`;
  return (await api.ask(query, { input })).done;
}

/** Attaches policies to a workspace that are asked before a run is created. */
export function attachAtCreation(
  scene: Scene,
  workspaceId: string,
  policies: NewPolicy[],
  set: Partial<NewPolicySet> = {},
): Promise<{ setId: string; versionId: string }> {
  return attach(scene, workspaceId, atCreation(policies), set);
}

export function atCreation(policies: NewPolicy[]): NewPolicy[] {
  return policies.map((policy) => ({ point: "RUN_CREATE", ...policy }));
}

/** Lets a step run before or after each judgement of a server, until it is disposed. */
export function aroundJudgements(
  { server: { deps } }: Pick<Scene, "server">,
  { before, after }: { before?: (judgement: number) => Promise<void>; after?: (judgement: number) => Promise<void> },
): Disposable & { readonly count: number } {
  const { evaluator } = deps;
  let count = 0;
  const judge: Evaluator["judge"] = async (...asked) => {
    const own = (count += 1);
    await before?.(own);
    const judgement = await evaluator.judge(...asked);
    await after?.(own);
    return judgement;
  };
  deps.evaluator = { ...evaluator, judge };
  return {
    get count() {
      return count;
    },
    [Symbol.dispose]: () => {
      deps.evaluator = evaluator;
    },
  };
}
