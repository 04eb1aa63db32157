import { expect, test } from "vitest";
import { databaseRefused, listenRefused } from "../src/start-error.ts";

test.each([
  ["EADDRINUSE", "HOLDPOINT_PORT: no: something else listens there; set another port."],
  ["EACCES", "HOLDPOINT_PORT: no: this user may not listen there; set another port."],
  ["EADDRNOTAVAIL", "HOLDPOINT_HOST: no. Set an address of this machine, or a name of one."],
  ["ENOTFOUND", "HOLDPOINT_HOST: no. Set an address of this machine, or a name of one."],
])("%s names its variable", (code, message) => {
  expect(listenRefused(Object.assign(new Error("no"), { code })).message).toBe(message);
});

test("of a name with several addresses each is told", () => {
  const both = new AggregateError([
    new Error("connect ECONNREFUSED ::1:1"),
    new Error("connect ECONNREFUSED 127.0.0.1:1"),
  ]);
  expect(databaseRefused(both).message).toBe(
    "DATABASE_URL: connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1",
  );
});
