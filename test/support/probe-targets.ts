/** Targets of probes on loopback, and probes with usual settings. */
import { readFileSync } from "node:fs";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import { type AddressInfo, createServer as createTcp, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";
import { NO_EXPECTATION, type Probe, type ProbeExpectation } from "../../src/model/probe/probe.ts";
import type { HttpProbeRequest } from "../../src/model/probe/probe-request.ts";

export interface LoopbackTarget {
  port: number;
  /** Connections that were opened. */
  connections: () => number;
}

const pem = (name: string): Buffer =>
  readFileSync(fileURLToPath(new URL(`../fixtures/tls/${name}.pem`, import.meta.url)));

/** The certificates of targets, which are their own authorities. */
export const CERTIFICATES = { valid: pem("certificate"), notYetValid: pem("not-yet-valid") };

async function listen(server: Server, host: string): Promise<LoopbackTarget> {
  let connections = 0;
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => open.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, host, done));
  onTestFinished(async () => {
    for (const socket of open) socket.destroy();
    await new Promise((done) => server.close(done));
  });
  return { port: (server.address() as AddressInfo).port, connections: () => connections };
}

export function httpTarget(answer: RequestListener, host = "127.0.0.1"): Promise<LoopbackTarget> {
  return listen(createHttp(answer), host);
}

export function httpsTarget(answer: RequestListener, cert = CERTIFICATES.valid): Promise<LoopbackTarget> {
  return listen(createHttps({ key: pem("key"), cert }, answer), "127.0.0.1");
}

/** A target that writes bytes as they are. */
export function rawTarget(connected: (socket: Socket) => void, host = "127.0.0.1"): Promise<LoopbackTarget> {
  return listen(createTcp(connected), host);
}

/** A target that answers each request with these bytes. */
export function bytesTarget(bytes: string): Promise<LoopbackTarget> {
  return rawTarget((socket) => socket.once("data", () => socket.end(bytes)));
}

export function expectation(changed: Partial<ProbeExpectation> = {}): ProbeExpectation {
  return { ...NO_EXPECTATION, ...changed };
}

export function httpRequest(url: string, changed: Partial<HttpProbeRequest> = {}): HttpProbeRequest {
  return {
    kind: "HTTP",
    method: "GET",
    urls: [url],
    headers: [],
    body: null,
    followRedirects: false,
    expect: NO_EXPECTATION,
    timeoutMs: 10_000,
    ...changed,
  };
}

/** A valid probe of kind HTTP. */
export function probeOf(changed: Partial<Probe> = {}): Probe {
  return {
    name: "web",
    kind: "HTTP",
    use: "BOTH",
    weight: "REQUIRED",
    from: "RUNNERS",
    target: "{{outputs.url}}",
    method: "GET",
    paths: [],
    headers: [],
    body: null,
    variables: null,
    serverName: null,
    followRedirects: false,
    expect: NO_EXPECTATION,
    intervalSeconds: 30,
    timeoutMs: 5000,
    ...changed,
  };
}
