import { zstdCompressSync } from "node:zlib";
import { expect, it } from "vitest";
import { planPart } from "../../../src/domain/check/plan-part.ts";

async function partOf(text: string): Promise<string> {
  return Buffer.concat(await Array.fromAsync(planPart(zstdCompressSync(text)))).toString();
}

const PLAN = {
  format_version: "1.2",
  text: 'a "plan": { \\ } [',
  list: [{ plan: {} }, "}"],
  nested: { plan: { a: 1 } },
};
const CUSTOM = { infracost: { plan: { no: 1 }, text: '"plan":{' } };

it.each([
  ["first", { plan: PLAN, custom: CUSTOM }],
  ["last", { custom: CUSTOM, plan: PLAN }],
  ["alone", { plan: PLAN }],
])("the plan is read where it comes %s", async (_where, document) => {
  expect(JSON.parse(await partOf(JSON.stringify(document)))).toEqual(PLAN);
  expect(JSON.parse(await partOf(JSON.stringify(document, null, 2)))).toEqual(PLAN);
});

it("a plan of many pieces is whole", async () => {
  const plan = {
    resources: Array.from({ length: 20_000 }, (_, index) => ({ address: `a["${index}"]`, text: "ä\\{" })),
  };
  expect(JSON.parse(await partOf(JSON.stringify({ custom: CUSTOM, plan })))).toEqual(plan);
});

it("a document without a plan gives nothing", async () => {
  expect(await partOf(JSON.stringify({ custom: { plan: PLAN } }))).toBe("");
});
