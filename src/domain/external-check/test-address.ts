/** Tests the address of an external check by a request as the protocol has it. */
import type { ExternalCheck } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { checkHeaders, testPayload } from "../check/check-payload.ts";
import type { Deps } from "../kit/deps.ts";
import { sendRequest } from "../../network/send-request.ts";
import type { CheckTest } from "./check-domain.ts";

/** Sends a test to an address. `origin`: the address of this server. */
export async function testAddress(
  deps: Pick<Deps, "clock" | "webhookAllow">,
  origin: string,
  organization: Pick<Organization, "slug">,
  { url, level, hmacKey }: Pick<ExternalCheck, "url" | "level"> & { hmacKey: string | null },
): Promise<CheckTest> {
  const body = JSON.stringify(testPayload({ origin, at: deps.clock().toISOString() }, organization, level));
  const request = { url, headers: checkHeaders(body, hmacKey), body };
  const transport = { allowed: deps.webhookAllow, limits: LIMITS.checkRequest };
  const { statusCode, error } = await sendRequest(request, transport, new AbortController().signal);
  const problem = statusCode === 200 ? null : answerProblem(statusCode, error);
  return { ok: problem === null, statusCode, problem };
}

/** Describes an answer other than 200; never contains the address. */
export function answerProblem(statusCode: number | null, error: string | null): string {
  if (statusCode === null) return error ?? "The service did not answer.";
  const redirect = statusCode >= 300 && statusCode < 400 ? " Redirects are not followed." : "";
  return `The service answered with status ${statusCode}, where 200 is expected.${redirect}`;
}
