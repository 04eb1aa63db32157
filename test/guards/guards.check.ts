/** Each check of a permission is opened once, and the walk must notice. */
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Guards } from "./guards.ts";
import { EQUIVALENT } from "./equivalent.ts";
import { instrument } from "./instrument.ts";
import type { Probe, WalkScene } from "../access/walk-scene.ts";

declare global {
  var holdpointGuards: Guards;
}

const guards = globalThis.holdpointGuards;

/** So many questions that a check refused are asked again with it open, before it counts as unnoticed. */
const MOST = 12;

let walk: WalkScene;
let probes: Probe[];
beforeAll(async () => {
  // After the guards, which the sources use when they are loaded.
  const [
    { openWalkScene },
    { createWorld, readPlaces },
    { createPrincipals },
    fields,
    commands,
    { SHOWING },
    { schema },
  ] = await Promise.all([
    import("../access/walk-scene.ts"),
    import("../access/world.ts"),
    import("../access/principals.ts"),
    import("../access/field-probes.ts"),
    import("../access/command-probes.ts"),
    import("../access/field-oracle.ts"),
    import("../../src/graphql/server/schema.ts"),
  ]);
  walk = await openWalkScene();
  const asked = await commands.commandProbes(walk);
  const made = await createWorld(walk).catch((error: unknown) => {
    throw new Error(String(walk.scene.server.reported.map((one) => (one as Error).stack)), { cause: error });
  });
  const principals = await createPrincipals(walk, made, SHOWING);
  const world = { ...made, ...(await readPlaces(walk)) };
  const shown = await fields.fieldProbes(schema, walk, world, principals);
  const people = fields.peopleProbes(world, principals);
  probes = [...shown.probes, ...people, ...asked.probes];
}, 300_000);
afterAll(() => walk[Symbol.asyncDispose]());

async function sitesOf(folder = new URL("../../src/", import.meta.url)): Promise<string[]> {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const all = await Promise.all(
    files.map(async (file) => instrument(await readFile(new URL(file, folder), "utf8"), file).names),
  );
  return all.flat();
}

it("the walk notices each check that is open", async () => {
  const refusedBy = new Map<string, Probe[]>((await sitesOf()).map((name) => [name, []]));
  for (const probe of probes) {
    guards.refusing.clear();
    expect(await probe.run(), probe.name).toBe(null);
    for (const name of guards.refusing) refusedBy.set(name, [...(refusedBy.get(name) ?? []), probe]);
  }
  const unnoticed: string[] = [];
  let noticed = 0;
  for (const [name, asked] of refusedBy) {
    guards.open = name;
    let isNoticed = false;
    // The last first: commands, of which each asks about one thing.
    for (const probe of asked.toReversed().slice(0, MOST)) {
      isNoticed ||= (await probe.run().catch(String)) !== null;
      if (isNoticed) break;
    }
    guards.open = null;
    if (isNoticed) noticed += 1;
    else if (!Object.keys(EQUIVALENT).some((end) => name.endsWith(` ${end}`)))
      unnoticed.push(`${name} (${asked.length === 0 ? "never refuses" : `refused ${asked.length} times`})`);
  }
  process.stdout.write(`${noticed} of ${refusedBy.size} checks were noticed.\n`);
  expect(unnoticed).toEqual([]);
}, 3_600_000);
