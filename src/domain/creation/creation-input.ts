/** Collects what policies read about a run that does not exist yet. */
import { createHash } from "node:crypto";
import type { Json } from "../../model/plan/json.ts";
import type { PolicyContext } from "../../model/policy/evaluator.ts";
import type { Judge } from "../../model/policy/judge.ts";
import { secretTexts } from "../../model/workspace/secret-texts.ts";
import type { Variable, Workspace } from "../../model/workspace/workspace.ts";
import type { Reader } from "../../persistence/database/database.ts";
import type { Deps } from "../kit/deps.ts";
import { type ContextRun, readPolicyContext } from "../policy/policy-context.ts";
import { workspaceSecrets } from "../variables/workspace-secrets.ts";

/** A run to be created, with those of its policies that are asked. */
export interface JudgedOrder {
  run: Omit<Extract<ContextRun, { id: null }>, "id" | "number" | "planVersion" | "planRunId" | "variables">;
  workspace: Workspace;
  variables: readonly Variable[];
  judges: readonly Judge[];
}

/** The input of a judgement. Two with one digest have the same judgement. */
export interface CreationInput {
  /** Covers everything but the time: the policies that are asked, and what they read. */
  digest: string;
  judges: readonly Judge[];
  context: PolicyContext;
}

/** Reads the input for a run. Values of variables are never part of it; in free texts they are masked. */
export async function readCreationInput(
  reader: Reader,
  deps: Pick<Deps, "cipher" | "clock">,
  { run, workspace, variables, judges }: JudgedOrder,
): Promise<CreationInput> {
  const at = deps.clock().toISOString();
  const unstored = { ...run, id: null, number: null, planVersion: 0, planRunId: null, variables } as const;
  const subject = { run: unstored, workspace };
  const read = await readPolicyContext(reader, deps, subject, { point: "RUN_CREATE", at, document: null });
  const secrets = [...(await workspaceSecrets(reader, deps, workspace.id)), ...secretTexts(variables)];
  const context = masked(read, secrets);
  return { digest: digestOf(judges, context), judges, context };
}

function digestOf(judges: readonly Judge[], { holdpoint, run, ...others }: PolicyContext): string {
  const asked = judges.map(({ id, isShadow }) => `${id} ${isShadow}`).toSorted();
  const content = [asked, { ...holdpoint, at: null }, { ...run, createdAt: null }, others];
  return createHash("sha256").update(JSON.stringify(content)).digest("hex");
}

/** The parts that people and other systems write: they may contain a secret. */
const FREE_TEXTS = ["message", "command", "metadata", "targets", "replace", "cause"] as const;
const MARK = "***";
/** Shorter values are too common in texts. */
const SHORTEST = 6;

function masked(context: PolicyContext, secrets: readonly string[]): PolicyContext {
  const hidden = [...new Set(secrets)].filter((text) => text.trim().length >= SHORTEST);
  if (hidden.length === 0) return context;
  hidden.sort((one, other) => other.length - one.length);
  const texts = FREE_TEXTS.map((key) => [key, maskJson(context.run[key] ?? null, hidden)] as const);
  const { previousRun } = context;
  return {
    ...context,
    run: { ...context.run, ...Object.fromEntries(texts) },
    previousRun: previousRun === null ? null : maskJson(previousRun, hidden),
  };
}

function maskJson(value: Json, secrets: readonly string[]): Json {
  if (typeof value === "string") return secrets.reduce((text, secret) => text.replaceAll(secret, MARK), value);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((one: Json) => maskJson(one, secrets));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, maskJson(one, secrets)]));
}
