/** Builds the signed requests of external checks. */
import type { RequestContent } from "../../persistence/check/check-request-store.ts";
import { findHmacKey } from "../../persistence/check/check-store.ts";
import { findOrganizations } from "../../persistence/organization/organization-store.ts";
import { findActors } from "../../persistence/people/actor-store.ts";
import { getRunInput } from "../../persistence/run/run-store.ts";
import { findWorkspacesEver } from "../../persistence/workspace/workspace-store.ts";
import type { Run } from "../../model/run/run.ts";
import { checkHeaders, checkPayload, type CheckSubject } from "../check/check-payload.ts";
import { checkToken } from "../check/check-token.ts";
import type { Deps } from "../kit/deps.ts";
import type { DueRequest } from "./lock-result.ts";

const NO_ORIGIN = "This server has no address to which checks can report. Set HOLDPOINT_PUBLIC_URL.";
const NO_KEY = "The key of the check cannot be decrypted. Set it again with `updateExternalCheck`.";

/** Builds the request about a result, or returns why it cannot be built. The key is used here alone. */
export async function buildRequest(
  deps: Deps,
  { result, check, run }: DueRequest,
): Promise<RequestContent | { error: string }> {
  // Without its address, a server is asked for nothing: no report could come back.
  if (deps.publicUrl === null) return { error: NO_ORIGIN };
  const hmacKey = await readKey(deps, check.id);
  if (hmacKey === undefined) return { error: NO_KEY };
  const token = checkToken(deps.cipher, result);
  const subject = await readSubject(deps, run);
  const body = JSON.stringify(checkPayload({ origin: deps.publicUrl, token, result, subject }));
  return { url: check.url, headers: checkHeaders(body, hmacKey), body };
}

/** Reads the key of a check; `undefined` if it cannot be decrypted. */
async function readKey(deps: Deps, checkId: string): Promise<string | null | undefined> {
  try {
    return await findHmacKey(deps.database, deps.cipher, checkId);
  } catch (error) {
    deps.reportError(error, `decrypting the key of ${checkId}`);
    return undefined;
  }
}

async function readSubject({ database }: Pick<Deps, "database">, run: Run): Promise<CheckSubject> {
  const [organization = null] = await findOrganizations(database, [run.organizationId]);
  const [workspace = null] = await findWorkspacesEver(database, [run.workspaceId]);
  if (organization === null || workspace === null) throw new Error(`The workspace of ${run.id} is missing.`);
  const [actor = null] = await findActors(database, [run.createdById]);
  const { source } = await getRunInput(database, run.id);
  return { organization, workspace, run, createdByName: actor?.name ?? "", source };
}
