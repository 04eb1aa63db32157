/** Streams of a whole organization carry what the caller may see, by either transport. */
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Data } from "../support/api.ts";
import { openEventSource } from "../support/event-source.ts";
import { callerWith } from "./callers.ts";
import type { Probe, WalkScene } from "./walk-scene.ts";

const FEED = `subscription ($id: ID!) { organizationEvents(organizationId: $id) {
  __typename ... on WorkspaceChanged { workspace { id } } } }`;

/** So long an item may take on a busy machine. */
const PATIENCE_MS = 60_000;

export async function streamProbes(walk: WalkScene): Promise<Probe[]> {
  const { scene, organizationId } = walk;
  const [seen, hidden] = [await scene.createWorkspace(), await scene.createWorkspace()];
  const api = await callerWith(walk, { [seen]: ["WORKSPACE_READ", "RUN_READ"] });
  const variables = { id: organizationId };

  /** The first change that arrives after the hidden workspace has changed, and then the other. */
  async function firstChange(next: () => Promise<Data>): Promise<string | null> {
    // From now on.
    await next();
    for (const workspaceId of [hidden, seen]) {
      await scene.quick("updateWorkspace", { workspaceId, description: randomUUID() });
    }
    for (;;) {
      const item = await next();
      if (item?.organizationEvents?.__typename === "StreamCheckpoint") continue;
      return item?.organizationEvents?.workspace?.id === seen ? null : JSON.stringify(item);
    }
  }
  const inTime = (work: Promise<string | null>): Promise<string | null> => {
    const late = new AbortController();
    const end = delay(PATIENCE_MS, "Nothing arrived.", { signal: late.signal }).catch(() => null);
    return Promise.race([work, end]).finally(() => late.abort());
  };
  return [
    {
      name: "organizationEvents over a socket",
      async run() {
        await using items = api.subscribe(FEED, variables);
        return await inTime(firstChange(async () => (await items.next()).value));
      },
    },
    {
      name: "organizationEvents over server-sent events",
      async run() {
        await using source = await openEventSource(api, FEED, variables);
        return await inTime(firstChange(async () => (await source.next())?.data));
      },
    },
  ];
}
