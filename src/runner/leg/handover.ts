import { createHash } from "node:crypto";
import { ArchiveRefused, unpack, type UnpackLimits } from "../archive/archive-reader.ts";
import { pack } from "../archive/archive-writer.ts";
import { isVariablesFile } from "../engine/engine-files.ts";
import type { JobFolder } from "../job/job-folder.ts";

const WORK = "work";
const PLAN = "plan";

/** Omits the engine's data except modules. Providers are large, and the lock file names them. */
function isOmitted(name: string, workFolder: string): boolean {
  const root = workFolder === "." ? WORK : `${WORK}/${workFolder}`;
  if (!name.startsWith(`${root}/`)) return false;
  const [first = "", second] = name.slice(root.length + 1).split("/");
  if (first === ".terraform") return second !== undefined && second !== "modules";
  return second === undefined && isVariablesFile(first);
}

/** Packs the files that an apply on another runner needs: the work folder with modules and lock file, and the plan. */
export async function packHandover(folder: JobFolder, signal: AbortSignal): Promise<{ omitted: string[] }> {
  return pack({
    toFile: folder.transferFile,
    roots: [
      { path: folder.work, name: WORK },
      { path: folder.plan, name: PLAN },
    ],
    exclude: (name) => isOmitted(name, folder.workFolder),
    mayRead: (uid) => folder.isEngines(uid),
    signal,
  });
}

/** Unpacks a handover. Throws ArchiveRefused if the plan is missing or not the approved one. */
export async function unpackHandover(
  folder: JobFolder,
  planDigest: string,
  options: { limits: UnpackLimits; signal: AbortSignal },
): Promise<void> {
  const accept = (name: string) => /^(?:work|plan)(?:\/|$)/.test(name);
  await unpack({ ...options, file: folder.transferFile, into: folder.path, uid: folder.engineUid, accept });
  const plan = await folder.readFromEngine(folder.planFile);
  if (plan === undefined) throw new ArchiveRefused("it holds no plan");
  if (createHash("sha256").update(plan).digest("hex") !== planDigest) {
    throw new ArchiveRefused("the plan in it is not the one that was approved");
  }
}
