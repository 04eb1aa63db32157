/** Makes the document of a plan and sends it to the server. */
import { PlanDocument } from "../plan/plan-document.ts";
import type { PlanTree } from "../plan/plan-tree.ts";
import { readCustomInput } from "./custom-input.ts";
import type { JobContext } from "./job-context.ts";

const TOO_LARGE =
  "The description of the plan is too large to be stored: policies cannot read it, and it is not shown.";

/**
 * Masks and compresses the plan, once the masker knows its secrets. `null` if the server stores no documents, or it is
 * too large.
 */
export async function beginDocument(
  { job, masker, limits, log }: Pick<JobContext, "job" | "masker" | "limits" | "log">,
  plan: PlanTree,
): Promise<PlanDocument | null> {
  const key = job.documentKey ?? null;
  if (key === null) return null;
  const variables = job.variables.filter(({ sensitive, category }) => sensitive && category === "ENGINE");
  const document = await PlanDocument.begin(plan, {
    masker,
    key,
    depth: limits.planDocumentDepth,
    mostBytes: limits.planDocumentBytes,
    secretVariables: variables.map(({ key: name }) => name),
  });
  if (document === null) await log.write(TOO_LARGE);
  return document;
}

/** Adds the custom input of hooks, and sends the document. Logs what is left out of it, and a refusal. */
export async function sendDocument(
  { client, folder, limits, log }: Pick<JobContext, "client" | "folder" | "limits" | "log">,
  document: PlanDocument | null,
): Promise<void> {
  if (document === null) return;
  const { problems, ...custom } = await readCustomInput(folder, limits);
  for (const problem of problems) await log.write(problem);
  const finished = await document.finish(custom);
  const { cuts } = document;
  if (cuts.length > 0) {
    await log.write(`The description of the plan is large. Policies read it without: ${cuts.join(", ")}.`);
  }
  const refusal = await client.uploadDocument(finished);
  if (refusal !== null) await log.write(`The server did not store the description of the plan: ${refusal}`);
}
