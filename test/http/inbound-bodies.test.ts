/** Deliveries to inbound hooks are read before their sender is known: their memory is bounded. */
import { expect, it } from "vitest";
import { startHttpServer } from "../../src/http/server.ts";
import { LIMITS } from "../../src/model/kit/limits.ts";
import { createTestGraphql } from "../support/graphql.ts";
import { fakeCaller } from "../support/fake-domain.ts";

const ROOM = LIMITS.inboundBodiesBytes / LIMITS.inboundBytes;

it("refuses a delivery that finds no room, and has room again when the others are answered", async () => {
  const arrived = Promise.withResolvers<void>();
  const unknown = Promise.withResolvers<null>();
  let waiting = 0;
  await using server = await startHttpServer(
    {
      graphql: createTestGraphql().graphql,
      ingestion: () => undefined,
      authenticate: () => Promise.resolve(fakeCaller),
      recheck: () => Promise.resolve(null),
      isReady: () => Promise.resolve(true),
      reportError: () => "",
      clock: () => new Date(0),
      inboundHooks: {
        accept: () => Promise.reject(new Error("no delivery is authentic")),
        authenticate: () => {
          waiting += 1;
          if (waiting === ROOM) arrived.resolve();
          return unknown.promise;
        },
      },
    },
    { host: "127.0.0.1", port: 0 },
  );
  const send = async (bytes: number = LIMITS.inboundBytes): Promise<number> => {
    const url = `http://127.0.0.1:${server.port}/hooks/in/inh_00000000000000000000000001`;
    const response = await fetch(url, { method: "POST", body: Buffer.alloc(bytes) });
    await response.arrayBuffer();
    return response.status;
  };
  const held = Array.from({ length: ROOM }, () => send());
  await arrived.promise;
  expect(await send(1)).toBe(503);
  unknown.resolve(null);
  expect(await Promise.all(held)).toEqual(held.map(() => 401));
  // The room is there again; the address has failed too often meanwhile.
  expect(await send(1)).toBe(429);
});
