/** Each check of a permission is opened once, and the walk must notice. */
import { readdir, readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Guards } from "./guards.ts";
import { EQUIVALENT } from "./equivalent.ts";
import { instrument } from "./instrument.ts";
import { openStages, type Stages } from "./stages.ts";
import type { Probe } from "../access/walk-scene.ts";

declare global {
  var holdpointGuards: Guards;
}

const guards = globalThis.holdpointGuards;

/** So many questions that a check refused are asked again with it open, before it counts as unnoticed. */
const MOST = 12;
/** So many for a check that is listed as equivalent. */
const MOST_OF_EQUIVALENT = 3;

let stages: Stages;
beforeAll(async () => {
  stages = await openStages();
}, 300_000);
afterAll(() => stages[Symbol.asyncDispose]());

/** The names of the checks in the sources, and of the commands, which are checked in their template. */
async function readSources(folder = new URL("../../src/", import.meta.url)) {
  const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith(".ts"));
  const all = await Promise.all(
    files.toSorted().map(async (file) => instrument(await readFile(new URL(file, folder), "utf8"), file)),
  );
  return { checks: all.flatMap(({ names }) => names), commands: all.flatMap(({ commands }) => commands) };
}

/** A question with the number of checks that refused something meanwhile. */
interface Asked {
  probe: Probe;
  refusals: number;
}

/** Asks everything once. Gives the questions that each check refused: first those that few others refuse. */
async function ask(probes: readonly Probe[]): Promise<Map<string, Asked[]>> {
  const refusedBy = new Map<string, Asked[]>();
  for (const probe of probes) {
    guards.refusing.clear();
    expect(await probe.run(), probe.name).toBe(null);
    const asked = { probe, refusals: guards.refusing.size };
    for (const name of guards.refusing) refusedBy.set(name, [...(refusedBy.get(name) ?? []), asked]);
  }
  for (const all of refusedBy.values()) all.sort((one, other) => one.refusals - other.refusals);
  return refusedBy;
}

/** Finds a question that is answered otherwise while a check is open; `null` if there is none. */
async function findNoticing(name: string, asked: readonly Asked[]): Promise<Probe | null> {
  for (const { probe } of asked.slice(0, name in EQUIVALENT ? MOST_OF_EQUIVALENT : MOST)) {
    guards.open = name;
    const difference = await probe.run().catch(String);
    guards.open = null;
    if (difference !== null) return probe;
  }
  return null;
}

/**
 * Asks again what noticed a check, with all of them closed. An answer that differs still may be wrong because another
 * check, while it was open, let something change that the question is about.
 */
async function expectAsBefore(noticing: ReadonlyMap<Probe, readonly string[]>): Promise<void> {
  for (const [probe, names] of noticing) {
    const difference = await probe.run().catch(String);
    expect(difference, `${probe.name}, once these are closed again: ${names.join(", ")}`).toBe(null);
  }
}

it("the walk notices each check that is open", async () => {
  const { checks, commands } = await readSources();
  const refusals = new Map<string, number>();
  const noticed = new Set<string>();
  for (const probes of stages.all) {
    const refusedBy = await ask(probes);
    const noticing = new Map<Probe, string[]>();
    for (const [name, asked] of refusedBy) {
      refusals.set(name, (refusals.get(name) ?? 0) + asked.length);
      const probe = noticed.has(name) ? null : await findNoticing(name, asked);
      if (probe === null) continue;
      noticed.add(name);
      noticing.set(probe, [...(noticing.get(probe) ?? []), name]);
    }
    await expectAsBefore(noticing);
  }
  const all = [...new Set([...checks, ...guards.met])];
  const open = all.filter((name) => !noticed.has(name));
  const unnoticed = open.filter((name) => !(name in EQUIVALENT));
  const times = (name: string): string =>
    refusals.has(name) ? `refused ${refusals.get(name)} times` : "never refuses";
  process.stdout.write(
    `${noticed.size} of ${all.length} checks were noticed; ${open.length - unnoticed.length} are listed.\n`,
  );
  expect(unnoticed.map((name) => `${name} (${times(name)})`)).toEqual([]);
  expect(Object.keys(EQUIVALENT).filter((name) => !open.includes(name))).toEqual([]);
  const isAsked = (command: string): boolean => [...guards.met].some((name) => name.startsWith(`${command} `));
  expect(commands.filter((command) => !isAsked(command))).toEqual([]);
}, 3_600_000);
