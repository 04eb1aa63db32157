/** Reads a JSON document of a site that people have named. */
import type { AllowedTarget } from "../../model/kit/allowed-target.ts";
import type { Resolve } from "../../network/guarded-lookup.ts";
import { guardedRequest } from "../../network/guarded-request.ts";

interface FetchSettings {
  allowed: readonly AllowedTarget[];
  /** The most time that it takes, and the most bytes of the answer. */
  timeoutMs: number;
  bytes: number;
  /** Absent: the system resolves names. */
  resolve?: Resolve;
}

/** Reads a JSON document by a guarded request. Throws for everything that is not a document of bounded size. */
export async function fetchJson(url: URL, { timeoutMs, ...settings }: FetchSettings): Promise<unknown> {
  const headers = { accept: "application/json" };
  const { status, body } = await guardedRequest(url, { ...settings, headers, signal: AbortSignal.timeout(timeoutMs) });
  if (status !== 200) throw new Error(`${url.host} answered with status ${status}.`);
  const document: unknown = JSON.parse(body.toString());
  return document;
}
