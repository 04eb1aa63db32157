import { expect, it } from "vitest";
import { takeSecrets } from "../../../src/domain/workspace/probe-input.ts";
import { probeOf } from "../../support/probe-targets.ts";

const STORED = probeOf({ name: "web", headers: [{ name: "x-key", value: "secret" }] });

it("fails if the probe whose secrets are kept was deleted or moved after the check of the input", () => {
  const given = { ...STORED, headers: [], secretsOf: "web" };
  expect(takeSecrets([given], [STORED])).toEqual([STORED]);
  const refused = expect.objectContaining({ code: "INVALID_INPUT" });
  expect(() => takeSecrets([given], [])).toThrow(refused);
  expect(() => takeSecrets([given], [{ ...STORED, target: "https://elsewhere.example.com/" }])).toThrow(refused);
});

it("does not take two hosts without a scheme for one receiver", () => {
  const stored = probeOf({ kind: "TCP", target: "db.internal:5432", body: "PING" });
  const given = { ...stored, body: null, target: "db.other:5432", secretsOf: stored.name };
  expect(() => takeSecrets([given], [stored])).toThrow("probes.0.target");
});
