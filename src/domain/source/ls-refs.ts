/** Reads the refs of a repository over https by one request of git's protocol 2, without a process. */
import { request as requestHttps } from "node:https";
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import type { GitLogin } from "../../model/repository/git-host.ts";
import { isRefusedLiteral, targetOf } from "../../network/address-guard.ts";
import { guardedLookup, type Resolve, TargetRefused } from "../../network/guarded-lookup.ts";
import { answerTo, failureText, readWhole } from "../../network/untrusted-request.ts";
import { RefsUnreadable, type RemoteRefs, type WantedRefs } from "../kit/ref-reader.ts";
import { lsRefsRequest, parseLsRefs } from "./ref-list.ts";

export interface LsRefsOptions {
  allowed: readonly AllowedTarget[];
  resolve?: Resolve | undefined;
  /** Certificates of authorities in place of those of Node. */
  ca?: Buffer | undefined;
  bytes: number;
  signal: AbortSignal;
}

const RESULT_TYPE = "application/x-git-upload-pack-result";

/**
 * Returns the refs of a repository; `null` if the server does not speak protocol 2. The address is checked when the
 * connection is made, redirects are not followed, and no connection is kept. Throws RefsUnreadable, or the reason of the
 * signal.
 */
export async function lsRefs(
  url: string,
  credential: GitLogin,
  wanted: WantedRefs,
  { allowed, resolve, ca, bytes, signal }: LsRefsOptions,
): Promise<RemoteRefs | null> {
  const address = new URL(`${url}/git-upload-pack`);
  const target = targetOf(address);
  if (isRefusedLiteral(target, allowed)) throw refused(target.host);
  const asked = lsRefsRequest(wanted);
  const request = requestHttps(address, {
    method: "POST",
    agent: false,
    lookup: guardedLookup(target, allowed, resolve),
    signal,
    ...(ca !== undefined && { ca }),
    headers: {
      "content-type": "application/x-git-upload-pack-request",
      "content-length": asked.length,
      "git-protocol": "version=2",
      accept: RESULT_TYPE,
      // Hosts know clients of git by it.
      "user-agent": "git/2.0 (holdpoint)",
      ...authorization(credential),
    },
  });
  try {
    const answer = await answerTo(request, asked);
    requireOk(answer.statusCode ?? 0, target.host);
    const type = answer.headers["content-type"] ?? "";
    if (type !== RESULT_TYPE) throw noGit(target.host, type);
    const tooLarge = (): Error => new RefsUnreadable(`The list of refs has more than ${bytes} bytes.`);
    const body = await readWhole(answer, bytes, tooLarge);
    // A server of the old protocol does not know the command.
    return body.length === 0 || OLD.test(body.toString("latin1", 0, OLD_BYTES)) ? null : parseLsRefs(body, wanted);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RefsUnreadable) throw error;
    if (error instanceof TargetRefused) throw refused(target.host);
    throw new RefsUnreadable(`The host ${target.host} cannot be reached: ${failureText(error, REASON_LENGTH)}`, {
      cause: error,
    });
  } finally {
    request.destroy();
  }
}

function authorization(credential: GitLogin): { authorization?: string } {
  if (credential.type !== "TOKEN") return {};
  const basic = Buffer.from(`${credential.username}:${credential.token}`).toString("base64");
  return { authorization: `Basic ${basic}` };
}

function requireOk(status: number, host: string): void {
  if (status === 200) return;
  if (status === 401 || status === 403) {
    throw new RefsUnreadable(`The host ${host} refuses the credential of the git host (status ${status}). Replace it.`);
  }
  if (status === 404) {
    throw new RefsUnreadable(
      `The host ${host} has no such repository, or its credential may not read it (status 404). Update the name or the credential.`,
    );
  }
  if (status >= 300 && status < 400) {
    throw new RefsUnreadable(
      `The host ${host} redirects to another address, which is not followed. Was the repository renamed? Update its name.`,
    );
  }
  throw new RefsUnreadable(`The host ${host} answered with status ${status}.`);
}

function refused(host: string): RefsUnreadable {
  return new RefsUnreadable(`The host ${host} has an internal address, which HOLDPOINT_GIT_ALLOW does not name.`);
}

const REASON_LENGTH = 200;
const OLD = /protocol error, expected to get/;
const OLD_BYTES = 500;

/** Git itself takes a page without line breaks for a repository that is empty. */
function noGit(host: string, type: string): RefsUnreadable {
  const what = /^[\w.+/-]{1,100}/.exec(type)?.[0] ?? "something else";
  return new RefsUnreadable(
    `The host ${host} answered with ${what} in place of a list of refs. Is the address that of a git server?`,
  );
}
