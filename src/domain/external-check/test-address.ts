/** Tests the address of an external check by a request as the protocol has it. */
import type { ExternalCheck } from "../../model/check/external-check.ts";
import { LIMITS } from "../../model/kit/limits.ts";
import { invalidField } from "../../model/kit/user-error.ts";
import type { Organization } from "../../model/workspace/workspace.ts";
import { checkHeaders, testPayload } from "../check/check-payload.ts";
import type { Deps } from "../kit/deps.ts";
import { sendRequest } from "../../network/send-request.ts";
import type { RequestAnswer, RequestContent } from "../../persistence/check/check-request-store.ts";
import type { CheckTest } from "./check-domain.ts";
import { answerProblem } from "./answer-problem.ts";
import { testByPool } from "./pool-test.ts";

/** The settings of a check by which its service is reached. */
type Way = Pick<ExternalCheck, "url" | "level" | "viaPoolId"> & { hmacKey: string | null };

/** Sends a test to an address, by a runner of the pool if the check has one. `origin`: the address of this server. */
export async function testAddress(
  deps: Deps,
  origin: string,
  organization: Pick<Organization, "slug">,
  { url, level, hmacKey, viaPoolId }: Way,
): Promise<CheckTest> {
  const body = JSON.stringify(testPayload({ origin, at: deps.clock().toISOString() }, organization, level));
  const request = { url, headers: checkHeaders(body, hmacKey), body };
  const answer = viaPoolId === null ? await send(deps, request) : await testByPool(deps, viaPoolId, request);
  if ("missing" in answer) return { ok: false, statusCode: null, problem: answer.missing, path: "viaPoolId" };
  const { statusCode, error } = answer;
  const problem = statusCode === 200 ? null : answerProblem(statusCode, error);
  return { ok: problem === null, statusCode, problem, path: "url" };
}

/** Tests the address of a check that is created or changed. Throws an error that names the field. */
export async function requireAddress(...args: Parameters<typeof testAddress>): Promise<void> {
  const { problem, path } = await testAddress(...args);
  if (problem === null) return;
  throw invalidField(path, path === "url" ? `did not pass its test. ${problem}` : `cannot be used now. ${problem}`);
}

function send({ webhookAllow }: Deps, request: RequestContent): Promise<RequestAnswer> {
  const transport = { allowed: webhookAllow, limits: LIMITS.checkRequest };
  return sendRequest(request, transport, new AbortController().signal);
}
