import { once } from "node:events";
import { createServer } from "node:http";
import { Client } from "pg";
import { expect, test } from "vitest";
import { databaseRefused, listenRefused } from "../../src/server/start-error.ts";

test.each([
  ["EADDRINUSE", "HOLDPOINT_PORT: no: another process listens there. Set another port."],
  ["EACCES", "HOLDPOINT_PORT: no: this user may not listen there. Set another port."],
  ["EADDRNOTAVAIL", "HOLDPOINT_HOST: no. Set an address of this machine, or a name of one."],
  ["ENOTFOUND", "HOLDPOINT_HOST: no. Set an address of this machine, or a name of one."],
])("%s names its variable", (code, message) => {
  expect(listenRefused(Object.assign(new Error("no"), { code })).message).toBe(message);
});

test("the errors of all addresses of a name are reported", () => {
  const both = new AggregateError([
    new Error("connect ECONNREFUSED ::1:1"),
    new Error("connect ECONNREFUSED 127.0.0.1:1"),
  ]);
  expect(databaseRefused(both).message).toBe(
    "DATABASE_URL: connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1",
  );
});

test.each([
  ["203.0.113.7", "HOLDPOINT_HOST: listen EADDRNOTAVAIL"],
  ["no-such-host.invalid", "HOLDPOINT_HOST: getaddrinfo E"],
])("the host %s is none of this machine", async (host, problem) => {
  const error = await once(createServer().listen(0, host), "listening").catch((reason: unknown) => reason);
  expect(listenRefused(error).message).toContain(problem);
});

test.each([
  ["127.0.0.1:1", "DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1"],
  // A name of two addresses, on most machines.
  ["localhost:1", "DATABASE_URL: connect ECONNREFUSED"],
  ["no-such-host.invalid", "DATABASE_URL: getaddrinfo E"],
])("a database at %s cannot be reached", async (host, problem) => {
  const client = new Client({ connectionString: `postgres://me:hunter2@${host}/none` });
  const error = await client.connect().catch((reason: unknown) => reason);
  const { message } = databaseRefused(error);
  expect(message).toContain(problem);
  expect(message).not.toContain("hunter2");
});
