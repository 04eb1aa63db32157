/** Addresses that are refused although they are allowed, such as those of the prober's own server. */
import type { LookupAddress } from "node:dns";
import { expect, test } from "vitest";
import { type Resolve, TargetRefused } from "../../src/network/guarded-lookup.ts";
import { lookupFor } from "../../src/probing/connection-rules.ts";

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  "other.example": ["10.0.0.2", "10.0.0.3"],
  "both.example": ["10.0.0.2", "10.0.0.1"],
};
const resolve: Resolve = (name, _options, done) => {
  const found = ADDRESSES[name];
  if (found === undefined) done(new Error("no such name"), []);
  else
    done(
      null,
      found.map((address): LookupAddress => ({ address, family: 4 })),
    );
};

/** 10.0.0.1:4000 is forbidden. */
const lookupOf = (host: string, port = 4000) =>
  lookupFor(
    { host, port },
    {
      allowed: [{ type: "private" }],
      isForbidden: (address, ofPort) => address === "10.0.0.1" && ofPort === 4000,
      resolve,
    },
  );

const addressesOf = (host: string, port?: number): Promise<unknown> =>
  new Promise((done, fail) => {
    lookupOf(host, port)(host, { all: true }, (error, found) => (error === null ? done(found) : fail(error)));
  });

test("an address that is forbidden is refused before a connection, at its port alone", () => {
  expect(() => lookupOf("10.0.0.1")).toThrow(TargetRefused);
  expect(lookupOf("10.0.0.1", 4001)).toBeTypeOf("function");
  expect(lookupOf("10.0.0.2")).toBeTypeOf("function");
  // Nothing forbids it, but nothing allows it either.
  expect(() => lookupOf("127.0.0.1")).toThrow(TargetRefused);
});

test("a name is refused where one of its addresses is forbidden", async () => {
  expect(await addressesOf("other.example")).toMatchObject([{ address: "10.0.0.2" }, { address: "10.0.0.3" }]);
  await expect(addressesOf("both.example")).rejects.toThrow(TargetRefused);
  expect(await addressesOf("both.example", 4001)).toHaveLength(2);
  await expect(addressesOf("none.example")).rejects.toThrow("no such name");
});
