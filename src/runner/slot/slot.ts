import { chmod, chown, lstat, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FoundEngine } from "../engine/engine-discovery.ts";
import { collectorSettings, machineBytes } from "../engine/garbage-collector.ts";
import type { EngineOptions } from "../session/engine-session.ts";

/** The resources of one slot: jobs of different slots can neither read nor signal one another. */
export interface Slot {
  engines: EngineOptions;
  jobsFolder: string;
}

/** The options that all slots of a runner share. */
export interface SlotOptions extends Pick<EngineOptions, "serverUrl" | "isolation" | "inherited"> {
  slots: number;
  engine: FoundEngine | null;
  /** User id of the first slot's engines. */
  engineUid: number | null;
}

/** Opens a slot: a plugin cache, and as root a user id, by its number. */
export async function openSlot(options: SlotOptions, jobsFolder: string, number: number): Promise<Slot> {
  const engineUid = options.engineUid === null ? null : options.engineUid + number;
  const pluginCache = options.engine === null ? null : join(dirname(jobsFolder), "plugin-cache", String(number));
  if (pluginCache !== null) await makePrivate(pluginCache, engineUid);
  const { serverUrl, slots, isolation, inherited } = options;
  const collector = collectorSettings(machineBytes(), slots, isolation);
  return { engines: { engineUid, serverUrl, isolation, inherited, pluginCache, collector }, jobsFolder };
}

async function makePrivate(path: string, uid: number | null): Promise<void> {
  // HOLDPOINT_ENGINE_UID may have changed since: nothing can be added to the cache of another user.
  const owner = (await lstat(path).catch(() => undefined))?.uid;
  if (owner !== undefined && owner !== (uid ?? process.getuid?.())) await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o711 });
  await mkdir(path, { recursive: true, mode: 0o700 });
  await chmod(path, 0o700);
  if (uid !== null) {
    await chmod(dirname(path), 0o711);
    await chown(path, uid, uid);
  }
}
