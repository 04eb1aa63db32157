/** Reads which folders of the source the engine took modules from, after its init. */
import { join, posix } from "node:path";
import { z } from "zod";
import type { JobFolder } from "../job/job-folder.ts";

const MANIFEST = ".terraform/modules/modules.json";
/** The size of the list, and the number of folders that are reported. */
const MANIFEST_BYTES = 8 * 1024 * 1024;
const MOST_FOLDERS = 1000;
const PATH_CHARACTERS = 1000;

const manifestSchema = z.object({ Modules: z.array(z.object({ Dir: z.string() })) });

/**
 * Returns the folders of local modules, from the root of the source; empty if the engine has written no list that can be
 * read. Modules that the engine downloaded are left out.
 */
export async function readModuleFolders(folder: JobFolder): Promise<string[]> {
  const body = await folder.readFromEngine(join(folder.engineFolder, MANIFEST)).catch(() => undefined);
  if (body === undefined || body.length > MANIFEST_BYTES) return [];
  const manifest = parse(body.toString());
  const own = folder.workFolder;
  const data = posix.join(own, ".terraform");
  const folders = manifest.map((path) => posix.join(own, path).replace(/\/$/, ""));
  const local = new Set(folders.filter((path) => path !== own && path !== data && !path.startsWith(`${data}/`)));
  const inside = [...local].filter((path) => !path.startsWith("..") && !path.startsWith("/"));
  return inside.filter((path) => path.length <= PATH_CHARACTERS && !path.includes("\0")).slice(0, MOST_FOLDERS);
}

function parse(text: string): string[] {
  try {
    return manifestSchema.parse(JSON.parse(text)).Modules.map(({ Dir }) => Dir);
  } catch {
    return [];
  }
}
