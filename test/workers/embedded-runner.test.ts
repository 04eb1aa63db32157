import { once } from "node:events";
import { createServer } from "node:http";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type EmbeddedSettings, REFUSED_EXIT } from "../../src/runner/embedded-messages.ts";
import { restartDelay, startEmbeddedRunner } from "../../src/workers/embedded-runner.ts";

it("is started again at once, then less and less often, until it has run for a while", () => {
  const delays: number[] = [];
  for (let i = 0; i < 7; i++) delays.push(restartDelay(delays.at(-1) ?? null, 100));
  expect(delays).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
  expect(restartDelay(30_000, 60_000)).toBe(1000);
});

it("logs why the server refuses it, and a shutdown does not wait for its next start", async () => {
  let requests = 0;
  const server = createServer((_request, response) => {
    requests++;
    response.writeHead(401, { "content-type": "application/json" });
    response.end(JSON.stringify({ error: { code: "UNAUTHENTICATED", message: "It was revoked." } }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const workDir = await mkdtemp(join(tmpdir(), "embedded-runner-"));
  const { port } = server.address() as AddressInfo;
  const settings: EmbeddedSettings = {
    serverUrl: `http://127.0.0.1:${port}`,
    token: "hpr_x",
    name: "embedded",
    version: "1",
    labels: [],
    pool: null,
    slots: 1,
    engine: null,
    workDir,
    engineUid: null,
    isolation: { bounds: { maxProcesses: null, maxMemoryBytes: null, maxFileBytes: null }, prefix: [] },
    inherited: {},
    probing: null,
    logLevel: "silent",
  };
  const warned = Promise.withResolvers<string>();
  const unexpected = (_fields: object, message: string) => warned.reject(new Error(message));
  const log = { info: unexpected, error: unexpected, warn: (_: object, message: string) => warned.resolve(message) };
  const module = new URL("../../src/runner/embedded.ts", import.meta.url);
  const env = { PATH: process.env["PATH"] ?? "" };
  const runner = startEmbeddedRunner({ module, settings, env, refusedExit: REFUSED_EXIT, log });
  try {
    expect(await warned.promise).toContain("resumeRunner");
    // No farewell under a token that is refused.
    expect(requests).toBe(1);
    runner.drain();
    await runner.done;
    expect(requests).toBe(1);
  } finally {
    runner.drain();
    await runner.done;
    server.close();
    await rm(workDir, { recursive: true });
  }
});
