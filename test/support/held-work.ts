/** Configurations whose plan or apply stops at an exact point until the test lets it go on. */
import { execFileSync } from "node:child_process";
import { constants } from "node:fs";
import { chmod, type FileHandle, mkdir, mkdtemp, open, realpath, rm, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

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

const EMPTY_STATE = JSON.stringify({ version: 4, terraform_version: "1.11.4", serial: 1, lineage: "x", outputs: {} });

export async function startHeldWork(): Promise<HeldWork> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-held-")));
  await chmod(root, 0o711);
  const holds = new Map<string, (response: ServerResponse) => void>();
  const server = createServer((request, response) => holds.get(request.url ?? "")?.(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : 0;
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
      const reached = Promise.withResolvers<void>();
      let waiting: ServerResponse[] | null = [];
      holds.set(`/${name}`, (response) => {
        reached.resolve();
        if (waiting === null) response.end(EMPTY_STATE);
        else waiting.push(response);
      });
      const path = await source(
        name,
        `data "terraform_remote_state" "held" {
           backend = "http"
           config = { address = "http://127.0.0.1:${port}/${name}" }
         }
         resource "terraform_data" "a" {}`,
      );
      return {
        path,
        reached: reached.promise,
        release() {
          for (const response of waiting ?? []) response.end(EMPTY_STATE);
          waiting = null;
        },
      };
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
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(root, { recursive: true, force: true });
    },
  };
}
