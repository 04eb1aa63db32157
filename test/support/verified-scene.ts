/** Two servers and three runners that probe, as processes, and one service on loopback that workspaces deploy. */
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Pool } from "pg";
import { MASTER_KEY } from "../e2e/holdpoint.ts";
import type { Api, Data } from "./api.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import * as steps from "./run-steps.ts";
import { type RunnerProcess, startRunnerProcess } from "./runner-process.ts";
import { freePort, type ServerProcess, startServerProcess } from "./server-process.ts";

export const SERVERS = [0, 1] as const;
export const RUNNERS = [0, 1, 2] as const;
export type ServerIndex = (typeof SERVERS)[number];
export type RunnerIndex = (typeof RUNNERS)[number];

/** A workspace with probes. */
export interface Verified {
  text: string;
  probes: object[];
  verificationSettings?: object;
  mode: string;
}

export class VerifiedScene implements AsyncDisposable {
  readonly folder: string;
  readonly database: TestDatabase;
  readonly rows: Pool;
  readonly servers: ServerProcess[] = [];
  readonly runners: RunnerProcess[] = [];
  /** Whether the service answers well, but for paths below `/v2`. */
  isHealthy = true;
  /** How often the service was asked for each path. */
  readonly asked = new Map<string, number>();
  readonly #service: Server;
  readonly #ports: number[] = [];
  #poolId = "";
  #token = "";

  private constructor(folder: string, database: TestDatabase) {
    this.folder = folder;
    this.database = database;
    this.rows = new Pool({ ...database.connection, max: 4 });
    this.#service = createServer((request, response) => {
      const { url = "" } = request;
      this.asked.set(url, (this.asked.get(url) ?? 0) + 1);
      const isRed = url.startsWith("/v2") || !this.isHealthy;
      response.writeHead(isRed ? 503 : 200).end();
    });
  }

  static async open(): Promise<VerifiedScene> {
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-verified-"));
    await chmod(folder, 0o711);
    await mkdir(join(folder, "written"));
    // The commands of probes have users of their own.
    await chmod(join(folder, "written"), 0o777);
    await mkdir(join(folder, "sources"));
    const scene = new VerifiedScene(folder, await createTestDatabase());
    await new Promise<void>((resolve) => scene.#service.listen(0, "127.0.0.1", resolve));
    for (const _server of SERVERS) scene.#ports.push(await freePort());
    await Promise.all(SERVERS.map((index) => scene.startServer(index)));
    await scene.#createPool();
    await Promise.all(RUNNERS.map((index) => scene.startRunner(index)));
    return scene;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const one of [...this.runners, ...this.servers]) await one[Symbol.asyncDispose]();
    this.#service.closeAllConnections();
    await new Promise((resolve) => this.#service.close(resolve));
    await this.rows.end();
    await this.database[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true });
  }

  get port(): number {
    return (this.#service.address() as AddressInfo).port;
  }

  /** The API of the server that is not killed next. */
  get api(): Api {
    const [server] = this.servers;
    if (server === undefined) throw new Error("There is no server.");
    return server.api;
  }

  async startServer(index: ServerIndex): Promise<void> {
    this.servers[index] = await startServerProcess({
      dataDir: join(this.folder, `server-${index}`),
      port: this.#ports[index] ?? 0,
      env: {
        DATABASE_URL: this.database.url,
        HOLDPOINT_MASTER_KEY: MASTER_KEY,
        HOLDPOINT_ADMIN_TOKEN: "t".repeat(32),
        HOLDPOINT_SOURCE_ROOTS: join(this.folder, "sources"),
        HOLDPOINT_RUNNER_SLOTS: "0",
        HOLDPOINT_PROBE_ALLOW: "127.0.0.1",
        HOLDPOINT_WEBHOOK_ALLOW: "127.0.0.1",
      },
    });
  }

  /** The last runner belongs to the second server. */
  async startRunner(index: RunnerIndex): Promise<void> {
    const args = {
      "--server": `http://127.0.0.1:${this.#ports[index === 2 ? 1 : 0]}`,
      "--pool": "probers",
      "--name": `runner-${index}`,
      "--work-dir": join(this.folder, `runner-${index}`),
      "--probes": "100",
      "--probe-allow": `127.0.0.1:${this.port}`,
    };
    const runner = startRunnerProcess(Object.entries(args).flat(), { HOLDPOINT_RUNNER_TOKEN: this.#token });
    this.runners[index] = runner;
    await runner.says("The runner is ready");
  }

  async send(command: string, input: object, fields: string): Promise<Data> {
    const type = `${command.charAt(0).toUpperCase()}${command.slice(1)}`;
    const query = `mutation ($input: ${type}Input!) { ${command}(input: $input) {
      ... on ${type}Success { ${fields} } ... on UserError { code message } } }`;
    const answer = (await this.api.ask(query, { input }))[command];
    if (answer.code !== undefined) throw new Error(`${command}: ${answer.message}`);
    return answer;
  }

  async #createPool(): Promise<void> {
    const { organization } = await this.api.ask('{ organization(slug: "default") { id } }');
    const of = { organizationId: organization.id, name: "probers" };
    const pool = await this.send("createRunnerPool", of, "runnerPool { id }");
    const made = await this.send("createRunnerToken", { poolId: pool["runnerPool"].id, name: "t" }, "secret");
    this.#poolId = pool["runnerPool"].id;
    this.#token = made["secret"];
  }

  #sourceOf(name: string): string {
    return join(this.folder, "sources", name);
  }

  /** Writes the configuration of a workspace. */
  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.#sourceOf(name), "main.tf"), text);
  }

  async createWorkspace(name: string, given: Verified): Promise<string> {
    await mkdir(this.#sourceOf(name));
    await this.write(name, given.text);
    const id = await steps.createWorkspaceOf(this.api, {
      name,
      source: { directory: { path: this.#sourceOf(name) } },
      planApproval: "WHEN_REQUIRED",
      autoApply: "ALWAYS",
    });
    const verificationSettings = { initialDelaySeconds: 0, intervalSeconds: 1, ...given.verificationSettings };
    const settings = { probes: given.probes, verificationSettings, rollbackSettings: { mode: given.mode } };
    const input = { workspaceId: id, runnerPoolId: this.#poolId, ...settings };
    await this.send("updateWorkspace", input, "workspace { id }");
    return id;
  }
}
