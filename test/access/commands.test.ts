/** What each mutation takes: nothing is done with less, nothing more is asked for, and a hidden subject is like none. */
import { readFile } from "node:fs/promises";
import { buildSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMANDS, mutationOf } from "./command-oracle.ts";
import { commandProbes, type CommandProbes } from "./command-probes.ts";
import { openWalkScene, type WalkScene } from "./walk-scene.ts";

const schema = buildSchema(await readFile(new URL("../../schema/schema.graphql", import.meta.url), "utf8"));

let walk: WalkScene;
let commands: CommandProbes;
beforeAll(async () => {
  walk = await openWalkScene();
  commands = await commandProbes(walk);
});
afterAll(async () => {
  expect(walk.scene.server.reported).toEqual([]);
  await walk[Symbol.asyncDispose]();
});

it("each mutation has a line", () => {
  const names = Object.keys(schema.getMutationType()?.getFields() ?? {});
  expect([...new Set(Object.keys(COMMANDS).map(mutationOf))].toSorted()).toEqual(names.toSorted());
});

describe("a command", () => {
  it.each(["without", "with what", "of a hidden subject"])(
    "%s",
    async (kind) => {
      const failures: string[] = [];
      for (const { name, run } of commands.probes.filter(
        (probe) => probe.name.includes(` ${kind} `) || probe.name.endsWith(kind),
      )) {
        const difference = await run().catch((error: unknown) => String(error));
        if (difference !== null) failures.push(`${name}: ${difference}`);
      }
      expect(failures).toEqual([]);
    },
    900_000,
  );
});
