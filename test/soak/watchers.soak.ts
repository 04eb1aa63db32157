/**
 * Ten thousand readers of one run with five hundred sets of grants, beside as many with one: how often an event is executed,
 * and what it costs the server. Other work on the machine hides the times: the CPU of the server is compared.
 */
import { type ChildProcess, fork } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isObjectType } from "graphql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { schema } from "../../src/graphql/server/schema.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";
import { addPerson, type GivenRole } from "../support/watchers.ts";
import type { WatchersAsked, WatchersReply } from "./watcher-process.ts";

const READERS = Number(process.env["HOLDPOINT_SOAK_READERS"] ?? 10_000);
const SETS = 500;
const PROCESSES = 4;
const EVENTS = 20;
const PAIRS = Number(process.env["HOLDPOINT_SOAK_PAIRS"] ?? 3);
/** CPU for an event with many sets, against one; in the middle of the pairs. Pairs differ by a third on a busy machine. */
const MOST = 1.5;
const ROLES = ["READER", "WRITER", "APPROVER"] as const;
/** Shows something of the caller's rights: an execution for each role at the workspace. */
const QUERY = `subscription ($id: ID!) { runEvents(runId: $id) {
  __typename ... on RunChanged { fields run { id status number workspace { name viewerPermissions } } } } }`;

let scene: Scene;
let spot: Spot;
let executions = 0;
const tokens: string[] = [];

beforeAll(async () => {
  const type = schema.getType("RunChanged");
  const field = isObjectType(type) ? type.getFields()["fields"] : undefined;
  const resolve = field?.resolve;
  if (field === undefined || resolve === undefined) throw new Error("There is no field to count by.");
  field.resolve = (...given) => {
    executions += 1;
    return resolve(...given);
  };
  scene = await openScene();
  spot = await scene.reach("PLANNING");
  const [row] = await scene.rows("select organization_id from run where id = $1", spot.runId);
  const others: string[] = [];
  while (2 ** others.length <= SETS) others.push(await scene.createWorkspace());
  for (let set = 0; set < SETS; set += 1) {
    const role = ROLES[set % ROLES.length] ?? "READER";
    const reached = [spot.workspaceId, ...others.filter((_, bit) => ((set + 1) >> bit) % 2 === 1)];
    const given = reached.map((id): GivenRole => [role, id]);
    tokens.push((await addPerson(scene, String(row?.["organization_id"]), given)).api.token);
  }
}, 300_000);
afterAll(() => scene[Symbol.asyncDispose](), 300_000);

interface Measured {
  cpuMsOfEvent: number;
  executionsOfEvent: number;
  msToAll: number;
}

/** Opens all readers, commits some events one after the other, and closes them. */
async function measure(of: readonly string[]): Promise<Measured> {
  const children: ChildProcess[] = [];
  const items = new Map<ChildProcess, number>();
  const broken: string[] = [];
  for (let index = 0; index < PROCESSES; index += 1) {
    const child = fork(fileURLToPath(new URL("./watcher-process.ts", import.meta.url)));
    child.on("message", (reply: WatchersReply) => {
      if (reply.type === "broken") broken.push(reply.reason);
      else items.set(child, reply.count);
    });
    const asked: WatchersAsked = {
      url: `${scene.server.url.replace("http", "ws")}/graphql`,
      tokens: of,
      readers: READERS / PROCESSES,
      query: QUERY,
      variables: { id: spot.runId },
    };
    child.send(asked);
    children.push(child);
  }
  const have = async (count: number): Promise<void> => {
    while (children.some((child) => (items.get(child) ?? 0) < count)) {
      if (broken.length > 0) throw new Error(broken.join("; ").slice(0, 300));
      await sleep(2);
    }
  };
  try {
    await have(1);
    // The first event compiles what the others use.
    await comment();
    await have(2);
    executions = 0;
    const cpu = process.cpuUsage();
    const began = performance.now();
    for (let event = 0; event < EVENTS; event += 1) {
      await comment();
      await have(3 + event);
    }
    const { user, system } = process.cpuUsage(cpu);
    return {
      cpuMsOfEvent: (user + system) / 1000 / EVENTS,
      executionsOfEvent: executions / EVENTS,
      msToAll: (performance.now() - began) / EVENTS,
    };
  } finally {
    for (const child of children) child.disconnect();
    while (scene.server.hub.size > 0) await sleep(20);
  }
}

async function comment(): Promise<void> {
  await scene.send("commentOnRun", { runId: spot.runId, text: "Look at this." });
}

it("cost about what one set does", { timeout: 15 * 60_000 }, async () => {
  const pairs: { one: Measured; many: Measured }[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    pairs.push({ one: await measure(tokens.slice(0, 1)), many: await measure(tokens) });
  }
  const ratios = pairs.map(({ one, many }) => many.cpuMsOfEvent / one.cpuMsOfEvent).toSorted((a, b) => a - b);
  console.log(JSON.stringify({ readers: READERS, sets: SETS, pairs, ratios }, null, 2));
  for (const { one, many } of pairs) {
    expect(one.executionsOfEvent).toBe(1);
    expect(many.executionsOfEvent).toBeLessThanOrEqual(4);
  }
  expect(ratios[Math.floor(PAIRS / 2)]).toBeLessThan(MOST);
});
