/** Questions beside those about fields and commands: queries of the domain, routes, and what a caller may pass on. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { openScene } from "../domain/scene.ts";
import { openSignInScene } from "../support/sign-in.ts";
import { startTokenIssuer } from "../support/token-issuer.ts";
import { changesetProbes } from "./changeset-probes.ts";
import { exchangeProbes } from "./exchange-probes.ts";
import { givingProbes } from "./giving-probes.ts";
import { inboundProbes } from "./inbound-probes.ts";
import { namingProbes } from "./naming-probes.ts";
import { nowhereProbes } from "./nowhere-probes.ts";
import { orderProbes } from "./order-probes.ts";
import { policyProbes } from "./policy-probes.ts";
import { programProbes } from "./program-probes.ts";
import { promotionProbes } from "./promotion-probes.ts";
import { queryProbes } from "./query-probes.ts";
import { routeProbes } from "./route-probes.ts";
import { streamProbes } from "./stream-probes.ts";
import { openWalkScene, type Probe, type WalkScene } from "./walk-scene.ts";

let walk: WalkScene;
beforeAll(async () => {
  walk = await openWalkScene();
});
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

async function failuresOf(probes: readonly Probe[]): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, run } of probes) {
    const difference = await run().catch((error: unknown) => String(error));
    if (difference !== null) failures.push(`${name}: ${difference}`);
  }
  return failures;
}

it("a query checks the caller itself", async () => {
  await using scene = await openScene();
  expect(await failuresOf(await queryProbes(scene))).toEqual([]);
});

it("nothing is looked up for a caller without rights", async () => {
  expect(await failuresOf(await nowhereProbes(walk))).toEqual([]);
});

it("a caller gives no one what it does not have", async () => {
  expect(await failuresOf(givingProbes(walk))).toEqual([]);
});

it("checks that are made twice are both needed", async () => {
  expect(await failuresOf(orderProbes(walk))).toEqual([]);
});

it("a changeset has the runs that its caller may make, read or end", async () => {
  expect(await failuresOf(changesetProbes(walk))).toEqual([]);
});

it("a promotion takes rights in all workspaces of the stage, also in those that are hidden", async () => {
  expect(await failuresOf(promotionProbes(walk))).toEqual([]);
});

it("an error and a blocker name what the caller may read", async () => {
  expect(await failuresOf(namingProbes(walk))).toEqual([]);
});

it("a command about policies names what the caller may read, and one about a check sends nothing for others", async () => {
  expect(await failuresOf(policyProbes(walk))).toEqual([]);
});

it("a delivery makes runs where the owner of its hook may", async () => {
  expect(await failuresOf(inboundProbes(walk))).toEqual([]);
});

it("a route refuses who lacks its permission, and hides what the caller may not see", async () => {
  expect(await failuresOf(await routeProbes(walk))).toEqual([]);
});

it("a stream carries what its reader may see", async () => {
  expect(await failuresOf(await streamProbes(walk))).toEqual([]);
});

it("a program is let in by the person whom it asked, and once", async () => {
  await using scene = await openSignInScene();
  expect(await failuresOf(await programProbes(scene))).toEqual([]);
});

it("a token of another issuer is exchanged by a trust rule that covers it, and once", async () => {
  await using scene = await openScene();
  await using ci = await startTokenIssuer(scene.server.deps.clock);
  expect(await failuresOf(await exchangeProbes(scene.server, ci))).toEqual([]);
});
