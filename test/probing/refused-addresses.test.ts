import { Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { AllowedTarget } from "../../src/model/kit/allowed-target.ts";
import type { ProbeRequest } from "../../src/model/probe/probe-request.ts";
import { resolveProbe } from "../../src/model/probe/resolve-probe.ts";
import type { Resolve } from "../../src/network/guarded-lookup.ts";
import { probeOnce } from "../../src/probing/probe-once.ts";
import { probeTargets } from "../../src/runner/network/runner-network.ts";
import { httpRequest, httpTarget, type LoopbackTarget, probeOf, rawTarget } from "../support/probe-targets.ts";

/** As on a server without HOLDPOINT_PROBE_ALLOW. */
const publicOnly: readonly AllowedTarget[] = [];
/** As on a runner, which reaches private networks. */
const privateToo: readonly AllowedTarget[] = [{ type: "private" }];
/** As on a server whose HOLDPOINT_PROBE_ALLOW names every address there is. */
const everyNetwork = (
  [
    ["0.0.0.0", 0],
    ["::", 0],
    ["100.64.0.0", 10],
    ["169.0.0.0", 8],
    ["168.63.129.0", 24],
    ["fd00::", 8],
    ["64:ff9b::", 96],
  ] as const
).map(([address, prefix]): AllowedTarget => ({ type: "network", address, prefix, port: null }));
/** As on a runner with such a list in HOLDPOINT_RUNNER_PROBE_ALLOW. */
const everything = probeTargets(everyNetwork, []);
const secondLoopback: readonly AllowedTarget[] = [{ type: "network", address: "127.0.0.2", prefix: 32, port: null }];

/** Addresses to which a socket of this process connected. */
const connected: string[] = [];
beforeEach(() => {
  connected.length = 0;
  // oxlint-disable-next-line typescript/unbound-method -- called with the socket as `this`
  const original = Socket.prototype.emit;
  vi.spyOn(Socket.prototype, "emit").mockImplementation(function emit(
    this: Socket,
    event: string,
    ...rest: unknown[]
  ): boolean {
    if (event === "connectionAttempt") connected.push(`${String(rest[0])}:${String(rest[1])}`);
    return Reflect.apply(original, this, [event, ...rest]) === true;
  });
});
afterEach(() => vi.restoreAllMocks());

const tools = (allowed: readonly AllowedTarget[], resolve?: Resolve): Parameters<typeof probeOnce>[1] => ({
  allowed,
  resolve,
  evaluator: { evaluate: () => Promise.resolve("TRUE") },
  clock: () => new Date(),
  now: () => performance.now(),
});

/** A probe of each kind as its target resolves. */
function requestsTo(host: string, port: number): ProbeRequest[] {
  const targets = [
    probeOf({ target: `http://${host}:${port}/` }),
    probeOf({ target: `https://${host}:${port}/` }),
    probeOf({ kind: "TCP", target: `${host}:${port}` }),
    probeOf({ kind: "TLS", target: `${host}:${port}` }),
    probeOf({ kind: "GRAPHQL", target: `http://${host}:${port}/`, body: "{a}" }),
  ];
  return targets.flatMap((probe) =>
    resolveProbe(probe, { outputs: new Map(), variables: new Map() }).targets.map(({ request }) => request),
  );
}

async function allRefused(
  requests: ProbeRequest[],
  allowed: readonly AllowedTarget[],
  resolve?: Resolve,
): Promise<void> {
  for (const request of requests) {
    expect(await probeOnce(request, tools(allowed, resolve))).toMatchObject({ ok: false, failure: "ADDRESS_REFUSED" });
  }
}

describe("no connection is opened", () => {
  let listening: LoopbackTarget;
  beforeEach(async () => {
    listening = await rawTarget((socket) => socket.end(), "::");
  });
  afterEach(() => {
    expect(listening.connections()).toBe(0);
    expect(connected).toEqual([]);
  });

  test.each([
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
    "[64:ff9b::7f00:1]",
    "[64:ff9b::a9fe:a9fe]",
    "[2002:7f00:1::]",
    "[::7f00:1]",
  ])("to %s, from a server and a runner, however wide its list is", async (host) => {
    const requests = requestsTo(host, listening.port);
    expect(requests).toHaveLength(5);
    for (const allowed of [publicOnly, everyNetwork, privateToo, everything]) await allRefused(requests, allowed);
  });

  test.each(["10.0.0.1", "[::ffff:192.168.1.1]", "[fd00::1]"])("to %s from a server", async (host) => {
    await allRefused(requestsTo(host, listening.port), publicOnly);
  });

  test("to a name with a public and a private address", async () => {
    const resolve: Resolve = (_name, _options, done) =>
      done(null, [
        { address: "8.8.8.8", family: 4 },
        { address: "127.0.0.1", family: 4 },
      ]);
    await allRefused(requestsTo("rebind.example", listening.port), publicOnly, resolve);
    await allRefused(requestsTo("rebind.example", listening.port), privateToo, resolve);
  });

  test("to localhost, as the system resolves it", async () => {
    await allRefused(requestsTo("localhost", listening.port), publicOnly);
  });
});

test("a name that changes between look-up and connection: what was judged is connected to", async () => {
  const allowed = await httpTarget((_request, response) => response.end(), "127.0.0.2");
  const forbidden = await rawTarget((socket) => socket.end());
  const answers = ["127.0.0.2", "127.0.0.1"];
  let asked = 0;
  const resolve: Resolve = (_name, _options, done) => done(null, [{ address: answers[asked++] ?? "", family: 4 }]);

  const request = httpRequest(`http://rebind.example:${allowed.port}/`);
  expect((await probeOnce(request, tools(secondLoopback, resolve))).ok).toBe(true);
  expect(asked).toBe(1);
  expect(connected).toEqual([`127.0.0.2:${allowed.port}`]);
  expect((await probeOnce(request, tools(secondLoopback, resolve))).failure).toBe("ADDRESS_REFUSED");
  expect(forbidden.connections()).toBe(0);
});

test.each([
  "http://127.0.0.1:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://0x7f.1:PORT/",
  "//127.0.0.1:PORT/",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::ffff:169.254.169.254]/",
  "http://[fd00:ec2::254]/",
])("a redirect to %s at the third hop is refused", async (location) => {
  const forbidden = await rawTarget((socket) => socket.end());
  const hops = await httpTarget((request, response) => {
    const hop = Number(request.url?.slice(1)) + 1;
    const next = hop === 3 ? location.replace("PORT", String(forbidden.port)) : `/${hop}`;
    response.writeHead(302, { location: next }).end();
  }, "127.0.0.2");

  const request = httpRequest(`http://127.0.0.2:${hops.port}/0`, { followRedirects: true });
  const wide = [everyNetwork, everything].map((entries) => [...entries, ...secondLoopback]);
  for (const allowed of [secondLoopback, ...wide]) {
    connected.length = 0;
    expect((await probeOnce(request, tools(allowed))).failure).toBe("ADDRESS_REFUSED");
    expect(connected).toEqual(Array.from({ length: 3 }, () => `127.0.0.2:${hops.port}`));
  }
  expect(hops.connections()).toBe(9);
  expect(forbidden.connections()).toBe(0);
});
