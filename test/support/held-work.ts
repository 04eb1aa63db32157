/** Configurations whose plan or apply stops at an exact point until the test lets it go on. */
import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, mkdtemp, open, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startLoopbackGate } from "./loopback-gate.ts";

export interface HeldWork extends AsyncDisposable {
  /** For HOLDPOINT_SOURCE_ROOTS. */
  readonly root: string;
  /** A configuration in a folder of its own. */
  source(name: string, text: string): Promise<string>;
  /** One whose plan reads a state from the test; `reached` when a plan has asked, `release` answers all, now and later. */
  heldPlan(name: string): Promise<{ path: string; reached: Promise<void>; release: () => void }>;
  /** One whose apply makes terraform_data.first and then stops in terraform_data.second. Its log says "waiting" there. */
  heldApply(name: string): Promise<{ path: string; release: () => Promise<void> }>;
}

export async function startHeldWork(): Promise<HeldWork> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-held-")));
  await chmod(root, 0o711);
  const gate = await startLoopbackGate();
  const pipes: FileHandle[] = [];

  async function source(name: string, text: string): Promise<string> {
    const folder = join(root, name);
    await mkdir(folder);
    await writeFile(join(folder, "main.tf"), text);
    return folder;
  }

  return {
    root,
    source,
    async heldPlan(name) {
      const path = await source(name, `${gate.block(name)} resource "terraform_data" "a" {}`);
      return { path, reached: gate.arrived(name), release: () => gate.open(name) };
    },
    async heldApply(name) {
      const pipe = join(root, `${name}.pipe`);
      execFileSync("mkfifo", [pipe]);
      await chmod(pipe, 0o666);
      // Open for both directions: neither this nor the provisioner's open waits for the other side.
      const handle = await open(pipe, constants.O_RDWR | constants.O_NONBLOCK);
      pipes.push(handle);
      const path = await source(
        name,
        `resource "terraform_data" "first" { input = "made" }
         resource "terraform_data" "second" {
           depends_on = [terraform_data.first]
           provisioner "local-exec" { command = "echo wait''ing; read line < ${pipe}" }
         }`,
      );
      return {
        path,
        release: async () => {
          await handle.write("go on\n");
        },
      };
    },
    async [Symbol.asyncDispose]() {
      for (const pipe of pipes) await pipe.close();
      await gate[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}
