import { createServer, type RequestListener } from "node:http";
import { describe, expect, it } from "vitest";
import { fetchJson } from "../../../src/domain/network/fetch-json.ts";
import type { Resolve } from "../../../src/network/guarded-lookup.ts";

const LIMITS = { timeoutMs: 5000, bytes: 1000 };
const LOOPBACK = [{ type: "network", address: "127.0.0.1", prefix: 32, port: null }] as const;
const resolvesTo =
  (...addresses: string[]): Resolve =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );

async function serving(listener: RequestListener) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    listener(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return {
    port,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const url = (port: number, host = "127.0.0.1"): URL => new URL(`http://${host}:${port}/keys`);

describe("a document", () => {
  it("is read from an allowed address, by its name too", async () => {
    await using server = await serving((_request, response) => void response.end('{"keys":[]}'));
    const settings = { ...LIMITS, allowed: LOOPBACK };
    expect(await fetchJson(url(server.port), settings)).toEqual({ keys: [] });
    const named = { ...settings, resolve: resolvesTo("127.0.0.1") };
    expect(await fetchJson(url(server.port, "ci.example.com"), named)).toEqual({ keys: [] });
  });

  it.each([[["127.0.0.1"]], [["10.0.0.1"]], [["169.254.169.254"]], [["::1"]], [["93.184.215.14", "192.168.1.1"]]])(
    "is not read where a name leads to %j",
    async (addresses) => {
      await using server = await serving((_request, response) => void response.end("{}"));
      const settings = { ...LIMITS, allowed: [], resolve: resolvesTo(...addresses) };
      await expect(fetchJson(url(server.port, "ci.example.com"), settings)).rejects.toThrow("not public");
      await expect(fetchJson(url(server.port), settings)).rejects.toThrow("not public");
      expect(server.requests()).toBe(0);
    },
  );

  it.each<[string, RequestListener, RegExp]>([
    ["is moved", (_request, response) => void response.writeHead(301, { location: "/other" }).end(), /status 301/],
    ["is absent", (_request, response) => void response.writeHead(404).end("{}"), /status 404/],
    ["is too large", (_request, response) => void response.end(`"${"x".repeat(1000)}"`), /more than 1000 bytes/],
    ["is no JSON", (_request, response) => void response.end("<html>"), /JSON/],
    [
      "ends early",
      (_request, response) => {
        response.writeHead(200, { "content-length": 100 });
        response.write("{");
        setImmediate(() => response.destroy());
      },
      /./,
    ],
    ["never begins", (request) => void request.socket.resume(), /aborted|timeout/i],
    ["never ends", (_request, response) => void response.write("{"), /aborted|timeout/i],
  ])("that %s is refused", async (_what, listener, reason) => {
    await using server = await serving(listener);
    const settings = { timeoutMs: 2000, bytes: 1000, allowed: LOOPBACK };
    await expect(fetchJson(url(server.port), settings)).rejects.toThrow(reason);
    expect(server.requests()).toBe(1);
  });
});
