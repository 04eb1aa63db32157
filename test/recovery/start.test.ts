/** Errors and notices of a start where something is missing or wrong. */
import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase, type TestDatabase } from "../support/database.ts";
import { waitFor } from "../support/eventually.ts";
import { liveProcesses } from "../support/live-processes.ts";
import { makeDataDir, startServerProcess } from "../support/server-process.ts";

const ROWS = "{ viewer { role } }";

let database: TestDatabase;
let folder: string;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await realpath(await mkdtemp(join(tmpdir(), "holdpoint-start-")));
});
afterAll(async () => {
  await database[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A start that must fail: what it wrote. It leaves nothing running, neither Postgres nor a runner. */
async function refusedStart(env: Record<string, string>, dataDir?: string): Promise<string> {
  const dir = dataDir ?? (await makeDataDir());
  const failure = await startServerProcess({ dataDir: dir, env }).then(
    () => "It has started.",
    (error: Error) => error.message,
  );
  if (dataDir === undefined) {
    expect(liveProcesses(dir)).toEqual([]);
    await rm(dirname(dir), { recursive: true, force: true });
  }
  expect(failure).toContain("The server ended with 1:");
  expect(failure, "no stack traces").not.toMatch(/^\s+at /m);
  return failure;
}

describe("a start", { concurrent: true }, () => {
  it("on a data folder that is in use says so, and leaves the first alone", async () => {
    await using first = await startServerProcess();
    const text = await refusedStart({}, first.dataDir);
    expect(text).toContain(`already running on the data folder ${first.dataDir} (process ${first.pid})`);
    expect(text).toContain("HOLDPOINT_DATA_DIR");
    expect((await first.api.ask(ROWS)).viewer.role).toBe("ADMIN");
    expect(first.output()).toMatch(/GraphQL +http:.*\n +GraphiQL +http:.*\n +Admin token +\/.*admin-token\n/);
    expect(await first.stop()).toBe(0);
  });

  it("on a port that is taken says so", async () => {
    await using own = await createTestDatabase();
    const taken = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const address = taken.address();
    const port = typeof address === "object" ? address?.port : 0;
    const text = await refusedStart({ DATABASE_URL: own.url, HOLDPOINT_PORT: `${port}` });
    await new Promise((resolve) => taken.close(resolve));
    expect(text).toContain(`HOLDPOINT_PORT: listen EADDRINUSE: address already in use 127.0.0.1:${port}`);
  });

  it("with variables that cannot be used names each of them", async () => {
    const text = await refusedStart({
      HOLDPOINT_PORT: "http",
      HOLDPOINT_HOST: "http://here/",
      HOLDPOINT_ADMIN_TOKEN: "short",
      HOLDPOINT_MASTER_KEY: "hunter2",
      HOLDPOINT_RUNNER_SLOTS: "-1",
      HOLDPOINT_CORS_ORIGINS: "*",
      HOLDPOINT_LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://x",
    });
    for (const name of ["PORT", "HOST", "ADMIN_TOKEN", "MASTER_KEY", "RUNNER_SLOTS", "CORS_ORIGINS", "LOG_LEVEL"]) {
      expect(text).toContain(`HOLDPOINT_${name} must`);
    }
    expect(text).toContain("DATABASE_URL must");
    expect(text).not.toContain("hunter2");
  });

  it("with an engine that is none names HOLDPOINT_ENGINE", async () => {
    const notAnEngine = join(folder, "not-an-engine");
    await writeFile(notAnEngine, "#!/bin/sh\necho hello\n");
    await chmod(notAnEngine, 0o755);
    const [missing, wrong] = await Promise.all([
      refusedStart({ DATABASE_URL: database.url, HOLDPOINT_ENGINE: "no-such-engine" }),
      refusedStart({ DATABASE_URL: database.url, HOLDPOINT_ENGINE: notAnEngine }),
    ]);
    expect(missing).toContain('HOLDPOINT_ENGINE: there is no "no-such-engine" on PATH');
    expect(wrong).toContain(`HOLDPOINT_ENGINE: "${notAnEngine}" does not answer`);
  });

  // What else can be wrong with an address says the same way, without a process: test/server/start-error.test.ts.
  it("on a host that is not this machine says so", async () => {
    // Another start has a key of its own, and a database takes only one.
    await using own = await createTestDatabase();
    const text = await refusedStart({ DATABASE_URL: own.url, HOLDPOINT_HOST: "203.0.113.7" });
    expect(text).toContain("HOLDPOINT_HOST: listen EADDRNOTAVAIL");
  });

  it("with a database that cannot be reached says so", async () => {
    const text = await refusedStart({ DATABASE_URL: "postgres://me:hunter2@127.0.0.1:1/none" });
    expect(text).toContain("DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1");
    expect(text).not.toContain("hunter2");
  });

  it("with a database that refuses says so", async () => {
    const url = new URL(database.url);
    url.pathname = "/no-such-database";
    const text = await refusedStart({ DATABASE_URL: url.href });
    expect(text).toContain('DATABASE_URL: database "no-such-database" does not exist');
    if (url.password !== "") expect(text).not.toContain(url.password);
  });

  it("with a folder that cannot be made says which variable to set", async () => {
    const file = join(folder, "a-file");
    await writeFile(file, "");
    expect(await refusedStart({}, join(file, "data"))).toContain("HOLDPOINT_DATA_DIR");
  });

  it("without an engine says what to install, and serves all the same", async () => {
    await using own = await createTestDatabase();
    await using server = await startServerProcess({ env: { DATABASE_URL: own.url, PATH: folder } });
    expect(server.output()).toMatch(/Engine +none found: install terraform or tofu/);
    expect((await server.api.ask(ROWS)).viewer.role).toBe("ADMIN");
    expect(await server.stop()).toBe(0);
  });

  it("on somebody else's database uses that one, and only with the key that it was created with", async () => {
    await using own = await createTestDatabase();
    const key = randomBytes(32).toString("hex");
    const env = { DATABASE_URL: own.url, HOLDPOINT_RUNNER_SLOTS: "0", HOLDPOINT_ADMIN_TOKEN: "t".repeat(32) };
    await using server = await startServerProcess({ env: { ...env, HOLDPOINT_MASTER_KEY: key } });
    expect((await server.api.ask(ROWS)).viewer.role).toBe("ADMIN");
    expect(server.output()).toContain("the value of HOLDPOINT_ADMIN_TOKEN");
    expect(server.output()).toMatch(/Runner +none \(HOLDPOINT_RUNNER_SLOTS=0\)/);
    const running = (): number[] => liveProcesses(server.dataDir, server.pid).map(({ pid }) => pid);
    // Another process compares the built console with its sources, and ends.
    await waitFor(() => expect(running(), "neither Postgres nor a runner").toEqual([server.pid]));
    // The database is what counts, not the folder: another folder with a key of its own is refused.
    const text = await refusedStart(env);
    expect(text).toContain("The master key does not fit this database");
    expect(text).toContain("HOLDPOINT_MASTER_KEY");
    expect(await server.stop()).toBe(0);
  });
});
