/** Requests as any program may send them, and what must hold after each. */
import { expect } from "vitest";
import type { Data } from "../support/api.ts";
import type { Holdpoint } from "./holdpoint.ts";

const TRACE = /\bat .+:\d+:\d+|node_modules|node:internal|\.ts\b|"stack"/;

export interface RawAnswer {
  status: number;
  text: string;
  headers: Headers;
}

interface RawRequest {
  method?: string;
  /** Beside the token and the content type, which they may replace. */
  headers?: Record<string, string>;
  body?: string;
}

/** Sends a request as it is. No answer may show where in the code it was made. */
export async function request({ api }: Holdpoint, path: string, raw: RawRequest = {}): Promise<RawAnswer> {
  const headers = { authorization: `Bearer ${api.token}`, "content-type": "application/json", ...raw.headers };
  const response = await fetch(`${api.url}${path}`, { ...raw, headers });
  const text = await response.text();
  if (!response.headers.get("content-type")?.includes("html")) expect(text).not.toMatch(TRACE);
  return { status: response.status, text, headers: response.headers };
}

export function post(holdpoint: Holdpoint, body: unknown, headers: Record<string, string> = {}): Promise<RawAnswer> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return request(holdpoint, "/graphql", { method: "POST", headers, body: text });
}

/** The first error of a request that must not get through as a whole. */
export async function refusalOf(
  holdpoint: Holdpoint,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<Data> {
  const body: Data = JSON.parse((await post(holdpoint, { query, variables })).text);
  expect(body.errors, query.slice(0, 100)).toHaveLength(1);
  return body.errors[0];
}

/** It still answers, and had nothing to report: what is unexpected is a bug of ours, not of whoever sent something. */
export async function expectUnharmed({ api, server }: Holdpoint): Promise<void> {
  expect((await api.ask("{ viewer { isAdmin } }")).viewer).toEqual({ isAdmin: true });
  const lines = server.output().split("\n");
  expect(lines.filter((line) => /"level":(50|60)|^ +at /.test(line)).map((line) => line.slice(0, 500))).toEqual([]);
}
