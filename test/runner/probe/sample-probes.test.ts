/** Probes as a runner samples them: real requests and commands, by its guard, its pace and its time-outs. */
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SamplingAnswer, SamplingReport } from "../../../src/ingestion/wire.ts";
import { createAnswerEvaluator } from "../../../src/evaluator/answer-evaluator.ts";
import type { AllowedTarget } from "../../../src/model/kit/allowed-target.ts";
import type { Probe } from "../../../src/model/probe/probe.ts";
import { resolveProbe } from "../../../src/model/probe/resolve-probe.ts";
import { makeJobsFolder } from "../../../src/runner/job/job-folder.ts";
import { RUNNER_LIMITS } from "../../../src/runner/kit/runner-limits.ts";
import { probeTargets } from "../../../src/runner/network/runner-network.ts";
import { createCommandSlots } from "../../../src/runner/probe/command-slots.ts";
import { createRunnerProbers } from "../../../src/runner/probe/runner-prober.ts";
import { sampleProbes } from "../../../src/runner/probe/sample-probes.ts";
import { waitFor } from "../../support/eventually.ts";
import { RUNNER_SELF } from "../../support/fake-runner.ts";
import { httpTarget, type LoopbackTarget, probeOf, rawTarget } from "../../support/probe-targets.ts";
import { createArrivals } from "../../support/webhook-target.ts";

const SECRET = "correct-horse-battery";

/** A server of the protocol that has this work, one piece for each lease. */
async function startServer() {
  const offered: SamplingAnswer[] = [];
  const reports = createArrivals<SamplingReport>();
  const leases = createArrivals<{ leaseId: string }>();
  let connections = 0;
  let refusal: number | null = null;
  let ready: (() => void) | null = null;
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.url?.endsWith("/report") === true) {
        response.writeHead(204).end();
        return reports.push(body);
      }
      if (request.url?.endsWith("/lease") !== true) return void response.writeHead(200).end("The API.");
      leases.push(body);
      if (refusal !== null) return void response.writeHead(refusal).end(JSON.stringify({ code: "X", message: "x" }));
      const give = (): void => {
        const work = offered.shift();
        if (work === undefined) ready = give;
        else response.writeHead(200).end(JSON.stringify(work));
      };
      give();
    });
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    reports,
    leases,
    connections: () => connections,
    offer(work: SamplingAnswer) {
      offered.push(work);
      const give = ready;
      ready = null;
      give?.();
    },
    refuse: (code: number) => (refusal = code),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function bodyOf(request: IncomingMessage) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  const text = Buffer.concat(pieces).toString();
  return text === "" ? {} : JSON.parse(text);
}

let stop: AbortController;
let server: Awaited<ReturnType<typeof startServer>>;
let folder: string;
let sampling: Promise<void>;
let evaluator: ReturnType<typeof createAnswerEvaluator>;
const logged: string[] = [];
beforeEach(async () => {
  stop = new AbortController();
  server = await startServer();
  folder = await mkdtemp(join(tmpdir(), "holdpoint-probes-"));
  sampling = Promise.resolve();
  evaluator = createAnswerEvaluator();
  logged.length = 0;
});
afterEach(async () => {
  stop.abort();
  await sampling;
  await evaluator.close();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const network = (address: string, prefix: number): AllowedTarget => ({ type: "network", address, prefix, port: null });
const LOOPBACK: AllowedTarget[] = [network("127.0.0.1", 32)];
let ids = 0;
const note = (fields: object, message: string): void => void logged.push(JSON.stringify([message, fields]));

async function start(allowed: readonly AllowedTarget[], { slots = 1, perSecond = 1000 } = {}): Promise<void> {
  const jobsFolder = await makeJobsFolder(folder, null);
  const shared = {
    token: "hpr_the-token-of-the-runner",
    limits: { ...RUNNER_LIMITS, backOffFirstMs: 1, backOffLastMs: 5, outputGraceMs: 20 },
    log: { debug: note, info: note, warn: note, error: note },
  };
  const serverUrl = `http://127.0.0.1:${server.port}`;
  sampling = sampleProbes({
    ...shared,
    serverUrl,
    runner: { runner: RUNNER_SELF, engine: null },
    prober: createRunnerProbers({ serverUrl, allowed, perSecond, evaluator, clock: () => new Date() }).urgent,
    commands: {
      ...shared,
      slots: createCommandSlots(Array.from({ length: slots }, () => null)),
      jobsFolder,
      isolation: { bounds: { maxProcesses: null, maxMemoryBytes: null, maxFileBytes: null }, prefix: [] },
      inherited: { PATH: process.env["PATH"] ?? "" },
    },
    randomId: () => `${"0".repeat(16)}${++ids}`,
    signal: stop.signal,
  });
}

const WORK: SamplingAnswer = {
  id: "ver_1",
  fence: 1,
  token: "t",
  leaseMs: 30_000,
  tries: 1,
  requests: [],
  commands: [],
  context: null,
};

/** The work for probes without templates. */
function requestsOf(...probes: Partial<Probe>[]): SamplingAnswer["requests"] {
  return probes.flatMap((changed, index) =>
    resolveProbe(probeOf({ name: `p${index}`, ...changed }), { outputs: new Map(), variables: new Map() }).targets.map(
      ({ number, address, request }) => ({ name: `p${index}`, target: number, resolvedTarget: address, request }),
    ),
  );
}

/** Offers work, and returns the samples by the name of their probe. */
async function sampled(work: Partial<SamplingAnswer>) {
  server.offer({ ...WORK, ...work });
  const report = await server.reports.next();
  return Object.fromEntries(report.samples.map(({ name, samples }) => [name, samples]));
}

describe("requests", () => {
  it("are sent, judged by their expression, and reported under the lease", async () => {
    const target = await httpTarget((_request, response) => response.end('{"up":true}'));
    await start(probeTargets(LOOPBACK, []));
    const url = `http://127.0.0.1:${target.port}/`;
    const expected = (expression: string) => ({ ...probeOf().expect, expression });
    const requests = requestsOf(
      { target: url, paths: ["/ready"], expect: expected("json.up == true") },
      { target: url, paths: ["/ready"], expect: expected("json.up == false") },
      { kind: "TCP", target: `127.0.0.1:${target.port}` },
    );
    server.offer({ ...WORK, requests });
    const report = await server.reports.next();
    expect(report).toMatchObject({ id: "ver_1", fence: 1, token: "t" });
    const found = new Map(report.samples.map(({ name, samples }) => [name, samples]));
    expect(found.get("p0")).toMatchObject([{ ok: true }]);
    expect(found.get("p1")).toMatchObject([{ ok: false, failure: "EXPRESSION" }]);
    expect(found.get("p2")).toMatchObject([{ ok: true }]);
  });

  it("are tried again until one is good", async () => {
    let asked = 0;
    const target = await httpTarget((_request, response) => response.writeHead(++asked < 3 ? 503 : 200).end());
    await start(probeTargets(LOOPBACK, []));
    const requests = requestsOf({ target: `http://127.0.0.1:${target.port}/x` });
    expect(await sampled({ tries: 3, requests })).toMatchObject({
      p0: [{ failure: "STATUS" }, { failure: "STATUS" }, { ok: true }],
    });
  });

  it("that the lease leaves no time for are left out, and are others in the next one", async () => {
    const target = await httpTarget((_request, response) => response.end());
    await start(probeTargets(LOOPBACK, []), { perSecond: 0.2 });
    const url = `http://127.0.0.1:${target.port}/x`;
    const requests = requestsOf({ target: url }, { target: url });
    // The first one begins at once, the second one five seconds later.
    expect(Object.keys(await sampled({ fence: 2, leaseMs: 4500, requests }))).toEqual(["p0"]);
  });

  it("are reported before the runner ends", async () => {
    const arrived = createArrivals<() => void>();
    const target = await httpTarget((_request, response) => arrived.push(() => response.end()));
    await start(probeTargets(LOOPBACK, []));
    server.offer({ ...WORK, requests: requestsOf({ target: `http://127.0.0.1:${target.port}/x` }) });
    const answer = await arrived.next();
    stop.abort();
    answer();
    await sampling;
    expect((await server.reports.next()).samples).toMatchObject([{ samples: [{ ok: true }] }]);
  });
});

describe("no connection is opened", () => {
  let listening: LoopbackTarget;
  beforeEach(async () => {
    listening = await rawTarget((socket) => socket.end(), "::");
  });
  const at = (host: string): Partial<Probe>[] => {
    const target = `${host}:${listening.port}`;
    return [
      { target: `http://${target}/` },
      { target: `https://${target}/` },
      { kind: "GRAPHQL", target: `http://${target}/`, body: "{a}" },
      { kind: "TCP", target },
      { kind: "TLS", target },
    ];
  };

  /** Each request has a sample of its own, which states that its address was refused. */
  async function allRefused(requests: SamplingAnswer["requests"]): Promise<void> {
    const samples = await sampled({ requests });
    expect(Object.keys(samples).toSorted()).toEqual(requests.map(({ name }) => name).toSorted());
    for (const found of Object.values(samples))
      expect(found).toMatchObject([{ ok: false, failure: "ADDRESS_REFUSED" }]);
  }

  it.each([
    ["without a list", probeTargets(null, [])],
    [
      "with a list of every network",
      probeTargets([network("0.0.0.0", 0), network("::", 0), network("fd00::", 8), network("100.64.0.0", 10)], []),
    ],
  ])("to this machine, link-local addresses and metadata services, %s", async (_name, allowed) => {
    await start(allowed);
    const hosts = [
      "127.0.0.1",
      "127.255.255.254",
      "0x7f.1",
      "0177.0.0.1",
      "2130706433",
      "0.0.0.0",
      "[::1]",
      "[::]",
      "[::ffff:127.0.0.1]",
      "[::ffff:169.254.169.254]",
      "169.254.169.254",
      "[fe80::1]",
      "[fd00:ec2::254]",
      "100.100.100.200",
      "168.63.129.16",
      "localhost",
    ];
    const requests = requestsOf(...hosts.flatMap(at));
    expect(requests).toHaveLength(hosts.length * 5);
    await allRefused(requests);
    expect(listening.connections()).toBe(0);
  });

  it("to its own server, also by a name, a mapped address, or the redirect of another", async () => {
    const hops = await httpTarget((request, response) => {
      const hop = Number(request.url?.slice(1)) + 1;
      response.writeHead(302, { location: hop === 3 ? `http://127.0.0.1:${server.port}/` : `/${hop}` }).end();
    });
    await start(probeTargets([...LOOPBACK, { type: "name", name: "localhost", port: null }], []));
    await server.leases.next();
    const before = server.connections();
    const own = ["127.0.0.1", "[::ffff:127.0.0.1]", "localhost", "0x7f.1"];
    const requests = requestsOf(
      ...own.map((host) => ({ target: `http://${host}:${server.port}/` })),
      { kind: "TCP", target: `127.0.0.1:${server.port}` },
      { target: `http://127.0.0.1:${hops.port}/0`, followRedirects: true },
    );
    await allRefused(requests);
    expect(hops.connections()).toBe(3);
    // The report, and perhaps the next lease.
    expect(server.connections() - before).toBeLessThanOrEqual(2);
  });

  it("to what its list does not name, also if it is public or private", async () => {
    await start(probeTargets([{ type: "network", address: "127.0.0.1", prefix: 32, port: 1 }], []));
    const requests = requestsOf(...["8.8.8.8", "10.0.0.1", "127.0.0.1"].flatMap(at));
    await allRefused(requests);
    expect(listening.connections()).toBe(0);
  });
});

describe("commands", () => {
  const context: NonNullable<SamplingAnswer["context"]> = {
    run: { id: "run_1", number: 7 },
    workspace: "shop",
    variables: [
      { key: "TOKEN", value: SECRET, sensitive: true, category: "ENVIRONMENT", hcl: false },
      { key: "HOME", value: "/root", sensitive: false, category: "ENVIRONMENT", hcl: false },
      { key: "size", value: "3", sensitive: false, category: "ENGINE", hcl: false },
    ],
    outputs: [{ name: "HOLDPOINT_OUTPUT_URL", text: "https://shop.test/", sensitive: false }],
    secrets: [],
  };
  const commands = (given: Record<string, string>, timeoutMs = 10_000): Partial<SamplingAnswer> => ({
    context,
    commands: Object.entries(given).map(([name, command]) => {
      return { name, target: 0, resolvedTarget: null, command, timeoutMs };
    }),
  });

  it("pass by exit code 0, with the variables of the run and its outputs", async () => {
    await start(probeTargets(null, []));
    const found = await sampled(
      commands({
        all: '[ "$HOLDPOINT_OUTPUT_URL $HOLDPOINT_RUN_NUMBER $HOLDPOINT_WORKSPACE" = "https://shop.test/ 7 shop" ]',
        variable: `[ "$TOKEN" = ${SECRET} ] && [ "$HOLDPOINT_PROBE" = variable ] && [ "$HOME" != /root ]`,
        code: "exit 22",
        signal: "kill -9 $$",
        unknown: "no-such-program",
      }),
    );
    expect(found).toMatchObject({
      all: [{ ok: true }],
      variable: [{ ok: true }],
      code: [{ failure: "COMMAND", reason: "The command ended with exit code 22." }],
      signal: [{ failure: "COMMAND", reason: "The command was ended by the signal SIGKILL." }],
      unknown: [{ failure: "COMMAND", reason: "The command ended with exit code 127." }],
    });
  });

  it("show none of their output, and their secrets not even in the log of the runner", async () => {
    await start(probeTargets(null, []));
    server.offer({ ...WORK, ...commands({ smoke: `echo "visible $TOKEN"; exit 1` }) });
    const report = JSON.stringify(await server.reports.next());
    expect(report).not.toContain("visible");
    expect(report).not.toContain(SECRET);
    const log = logged.join("\n");
    expect(log).toContain("visible");
    expect(log).not.toContain(SECRET);
  });

  const pidOf = async (file: string): Promise<number> => Number(await readFile(join(folder, file), "utf8"));
  const hasEnded = async (pid: number): Promise<boolean> => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    return stat === "" || stat.slice(stat.lastIndexOf(")") + 2).startsWith("Z");
  };

  it("that do not end are killed with what they have started", async () => {
    await start(probeTargets(null, []));
    const stays = `trap '' INT TERM; sleep 1000 & echo $! > ${folder}/child; wait; sleep 1000`;
    expect(await sampled(commands({ stays }, 2000))).toMatchObject({
      stays: [{ failure: "TIMEOUT", reason: "The command did not end within 2000 ms." }],
    });
    await waitFor(async () => expect(await hasEnded(await pidOf("child"))).toBe(true));
  });

  it("that fork and stay pass, and what they left is killed, also in a session of its own", async () => {
    await start(probeTargets(null, []));
    const found = await sampled(
      commands({
        forks: `sleep 1000 & echo $! > ${folder}/forked`,
        leaves: `setsid sleep 1000 > /dev/null 2>&1 & echo $! > ${folder}/left; sleep 0.2`,
      }),
    );
    expect(found).toMatchObject({ forks: [{ ok: true }], leaves: [{ ok: true }] });
    for (const file of ["forked", "left"]) {
      await waitFor(async () => expect(await hasEnded(await pidOf(file))).toBe(true));
    }
    expect(await readdir(join(folder, "jobs"))).toEqual([]);
  });

  it("are inconclusive where the runner cannot run them", async () => {
    await start(probeTargets(null, []));
    await rm(join(folder, "jobs"), { recursive: true });
    expect(await sampled(commands({ smoke: "true" }))).toMatchObject({ smoke: [{ failure: "NO_PROBER" }] });
  });

  it("wait for a free user", async () => {
    await start(probeTargets(null, []));
    const gate = `until [ -e ${folder}/open ]; do sleep 0.02; done`;
    server.offer({ ...WORK, ...commands({ gate: `touch ${folder}/inside; ${gate}` }) });
    await waitFor(async () => expect(await readdir(folder)).toContain("inside"));
    server.offer({ ...WORK, id: "ver_2", ...commands({ next: `touch ${folder}/second` }) });
    await server.leases.next();
    await server.leases.next();
    await server.leases.next();
    expect(await readdir(folder)).not.toContain("second");
    await writeFile(join(folder, "open"), "");
    const ended = [await server.reports.next(), await server.reports.next()];
    expect(ended.map(({ id }) => id)).toEqual(["ver_1", "ver_2"]);
  });
});

it.each([401, 403, 404])("asks no more after %s", async (code) => {
  server.refuse(code);
  await start(probeTargets(null, []));
  await sampling;
  expect(await server.leases.next()).toHaveProperty("leaseId");
});
