/** Probes that open a connection: TCP and TLS. */
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { bodyProblem, certificateProblem, latencySample } from "../model/probe/judge-answer.ts";
import { PROBE_LIMITS } from "../model/probe/probe-limits.ts";
import type { TcpProbeRequest, TlsProbeRequest } from "../model/probe/probe-request.ts";
import { failedSample, type ProbeSample } from "../model/probe/probe-sample.ts";
import { endWith } from "./deadline.ts";
import { openTcp, openTls } from "./open-connection.ts";
import { readBeginning } from "./read-beginning.ts";
import type { SendTools } from "./send-http.ts";

/** Connects, sends the first bytes, and reads until the expected text has come. */
export async function probeTcp(request: TcpProbeRequest, tools: SendTools): Promise<ProbeSample> {
  const { body, expect } = request;
  const begun = tools.now();
  const socket = openTcp(request, tools);
  using _end = endWith(tools.signal, socket);
  await eventOf(socket, "connect");
  if (body !== null) socket.write(body);
  const { bodyContains: text } = expect;
  if (text !== null) {
    const answer = await readBeginning(socket, PROBE_LIMITS.answerBytes, (bytes) => bytes.includes(text));
    const problem = bodyProblem(expect, answer.toString());
    if (problem !== null) return failedSample(problem.failure, problem.reason);
  }
  return latencySample(expect, Math.round(tools.now() - begun));
}

/** Connects, checks the certificate, and the days for which it is valid. */
export async function probeTls(request: TlsProbeRequest, tools: SendTools, at: Date): Promise<ProbeSample> {
  const { expect } = request;
  const begun = tools.now();
  const socket = openTls(request, request.serverName, tools);
  using _end = endWith(tools.signal, socket);
  await eventOf(socket, "secureConnect");
  const latencyMs = Math.round(tools.now() - begun);
  const validTo = endOfCertificate(socket);
  if (validTo === null) return failedSample("TLS", "The other side sent no certificate.");
  const problem = certificateProblem(expect, validTo, at);
  return problem === null ? latencySample(expect, latencyMs) : failedSample(problem.failure, problem.reason, latencyMs);
}

function endOfCertificate(socket: TLSSocket): Date | null {
  const certificate = socket.getPeerX509Certificate();
  return certificate === undefined ? null : new Date(certificate.validTo);
}

function eventOf(socket: Socket, name: "connect" | "secureConnect"): Promise<void> {
  return new Promise((done, fail) => {
    socket.once(name, () => done());
    // Stays attached: an error without a listener would end the process.
    socket.on("error", fail);
    socket.once("close", () => fail(new Error("The connection was closed.")));
  });
}
