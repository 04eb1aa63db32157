/** Installs the packages of the peers when they are first needed, and again when their list has changed. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("..", import.meta.url));
const STAMP = join(FOLDER, "node_modules", ".installed");

export async function installPeers(print: (line: string) => void): Promise<void> {
  const wanted = createHash("sha256")
    .update(readFileSync(join(FOLDER, "package-lock.json")))
    .digest("hex");
  if (find(STAMP) === wanted) return;
  print("installing what the peers need");
  const { status } = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], { cwd: FOLDER, stdio: "inherit" });
  if (status !== 0) throw new Error("npm ci in bench/ has failed.");
  writeFileSync(STAMP, wanted);
}

function find(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
