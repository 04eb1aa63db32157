import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "../../src/persistence/embedded/embedded-postgres.ts";
import { processIdentity } from "../../src/os/process-identity.ts";

const STARTER = fileURLToPath(new URL("../support/postgres-starter.ts", import.meta.url));
const NOBODY = 65_534;
const DAEMON = 1;
const isRoot = process.getuid?.() === 0;
const log = { info: () => {}, warn: () => {} };

let parent: string;
let dataDir: string;
/** A data folder that was started in once: what is not about the first start begins with a copy. */
let used: string;

beforeAll(async () => {
  used = await mkdtemp(join(tmpdir(), "embedded-used-"));
  await chmod(used, 0o711);
  await (await startEmbeddedPostgres({ dataDir: used, log, uid: process.getuid?.() })).stop();
});
afterAll(() => rm(used, { recursive: true, force: true }));

/** Owners and modes as they are. */
function copyUsed(): void {
  execFileSync("cp", ["-a", `${used}/.`, dataDir]);
}

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "embedded-"));
  await chmod(parent, 0o755);
  dataDir = join(parent, "data");
  await mkdir(dataDir, { mode: 0o711 });
});

afterEach(async () => {
  await rm(parent, { recursive: true, force: true });
});

const start = (): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir, log, uid: process.getuid?.() });

async function query(postgres: EmbeddedPostgres, text: string, password?: string): Promise<unknown[][]> {
  const client = new Client({ ...postgres.connection, ...(password === undefined ? {} : { password }) });
  client.on("error", () => {});
  await client.connect();
  try {
    const result = await client.query<unknown[]>({ text, rowMode: "array" });
    return result.rows;
  } finally {
    await client.end();
  }
}

/** Starts a Holdpoint's Postgres from a process of its own, which is to be killed. */
async function startElsewhere(): Promise<{ postmaster: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [STARTER, dataDir], {
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line]: unknown[] = await once(createInterface({ input: child.stdout }), "line");
  return {
    postmaster: Number(line),
    async kill() {
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

test("starts from nothing, keeps its data, listens on a private socket only, and leaves no process", async () => {
  const first = await start();
  await query(first, "CREATE TABLE t AS SELECT 7 AS n");
  const socket = await stat(first.connection.host);
  expect(socket.mode & 0o777).toBe(0o700);
  expect(socket.uid).toBe(isRoot ? NOBODY : process.getuid?.());
  expect((await stat(join(dataDir, "postgres-password"))).mode & 0o777).toBe(0o600);
  expect(await query(first, "SHOW listen_addresses")).toEqual([[""]]);
  expect(await query(first, "SHOW fsync")).toEqual([["on"]]);
  expect(await query(first, "SELECT 'Z' < 'a', upper('é'), getdatabaseencoding()")).toEqual([[true, "É", "UTF8"]]);
  await expect(query(first, "SELECT 1", "wrong")).rejects.toThrow("password authentication failed");
  await Promise.all([first.stop(), first.stop()]);
  expect(processIdentity(first.pid)).toBeNull();
  expect(await first.exited).toEqual({ code: 0, signal: null });

  await using second = await start();
  expect(await query(second, "SELECT n FROM t")).toEqual([[7]]);
});

test("ends the Postgres of a Holdpoint that was killed, whose commits are all there", async () => {
  copyUsed();
  const killed = await startElsewhere();
  await killed.kill();
  expect(processIdentity(killed.postmaster)).not.toBeNull();
  await using postgres = await start();
  expect(processIdentity(killed.postmaster)).toBeNull();
  expect(await query(postgres, "SELECT n FROM committed")).toEqual([[1]]);
});

test("starts again after Postgres itself was killed while a connection was busy", async () => {
  copyUsed();
  const first = await start();
  const busy = query(first, "SELECT pg_sleep(600)").catch((error: unknown) => error);
  await query(first, "CREATE TABLE t AS SELECT 7 AS n");
  process.kill(first.pid, "SIGKILL");
  expect(await first.exited).toEqual({ code: null, signal: "SIGKILL" });
  await using second = await start();
  expect(await query(second, "SELECT n FROM t")).toEqual([[7]]);
  expect(await busy).toBeInstanceOf(Error);
});

test("a stale postmaster.pid whose pid belongs to another process neither stops the start nor that process", async () => {
  copyUsed();
  const bystander = spawn("sleep", ["600"], isRoot ? { uid: NOBODY, gid: NOBODY } : {});
  try {
    await writeFile(join(dataDir, "postgres", "postmaster.pid"), `${bystander.pid}\n${join(dataDir, "postgres")}\n1\n`);
    await using postgres = await start();
    expect(await query(postgres, "SELECT 1")).toEqual([[1]]);
    expect(bystander.exitCode).toBeNull();
    expect(bystander.signalCode).toBeNull();
  } finally {
    bystander.kill("SIGKILL");
  }
});

test("removes what an interrupted initdb has left, and begins again", async () => {
  await mkdir(join(dataDir, "postgres.init-abcdef", "base"), { recursive: true });
  await using postgres = await start();
  expect(await query(postgres, "SELECT 1")).toEqual([[1]]);
  expect((await readdir(dataDir)).filter((name) => name.startsWith("postgres.init-"))).toEqual([]);
});

test("a long path gets a short folder for its socket, which goes away with it", async () => {
  dataDir = join(parent, "long-".repeat(20), "with blank, and comma");
  await mkdir(dataDir, { recursive: true, mode: 0o711 });
  const postgres = await start();
  const { host } = postgres.connection;
  expect(host.length).toBeLessThan(85);
  expect((await stat(host)).mode & 0o777).toBe(0o700);
  expect(await query(postgres, "SELECT 1")).toEqual([[1]]);
  await postgres.stop();
  await expect(stat(host)).rejects.toThrow("ENOENT");
});

test("a start that fails says why, in Postgres' own words, and leaves no process", async () => {
  copyUsed();
  await writeFile(join(dataDir, "postgres", "postgresql.auto.conf"), "max_connections = nonsense\n");
  await writeFile(join(dataDir, "postgres", "PG_VERSION"), "15\n");
  await expect(start()).rejects.toThrow(/Postgres has ended while it started: [^]*FATAL/);
});

test("a lost or wrong password is named", async () => {
  copyUsed();
  const file = join(dataDir, "postgres-password");
  await writeFile(file, "other");
  await expect(start()).rejects.toThrow(`${file} does not hold the password`);
  await rm(file);
  await expect(start()).rejects.toThrow(`${file} is missing`);
});

test("modes and owners that will not do are named, with the command that mends them", async () => {
  copyUsed();
  const pgData = join(dataDir, "postgres");
  const passwordFile = join(dataDir, "postgres-password");
  await chmod(passwordFile, 0o644);
  await expect(start()).rejects.toThrow(`${passwordFile} is open to every user of this machine (mode 644). Run: chmod`);
  await chmod(passwordFile, 0o600);
  await chmod(pgData, 0o755);
  await expect(start()).rejects.toThrow(
    `${pgData} is open to other users (mode 755), which Postgres refuses. Run: chmod`,
  );
});

test.runIf(isRoot)("a database that was copied by root is named, with the command that mends it", async () => {
  copyUsed();
  const pgData = join(dataDir, "postgres");
  const { uid } = await stat(pgData);
  await chown(pgData, 0, 0);
  await expect(start()).rejects.toThrow(`belongs to uid 0, and Postgres runs as uid ${uid}. Run: chown -R ${uid} `);
});

test("a start can be given up", async () => {
  await expect(
    startEmbeddedPostgres({ dataDir, log, uid: process.getuid?.(), signal: AbortSignal.abort() }),
  ).rejects.toThrow("aborted");
});

test("its log holds neither statements nor rows", async () => {
  copyUsed();
  await using postgres = await start();
  await query(postgres, "CREATE TABLE t (n int PRIMARY KEY, secret text CHECK (secret <> 'canary-1'))");
  await expect(query(postgres, "INSERT INTO t VALUES (1, 'canary-1')")).rejects.toThrow("violates check constraint");
  const text = await readFile(join(dataDir, "postgres.log"), "utf8");
  expect(text).toContain("violates check constraint");
  expect(text).not.toContain("canary-1");
});

describe.runIf(isRoot)("as root", () => {
  test("a data folder below one that only root can enter", async () => {
    copyUsed();
    await chmod(parent, 0o700);
    const first = await start();
    await query(first, "CREATE TABLE t AS SELECT 7 AS n");
    await first.stop();
    const killed = await startElsewhere();
    await killed.kill();
    await using second = await start();
    expect(processIdentity(killed.postmaster)).toBeNull();
    expect(await query(second, "SELECT n FROM t")).toEqual([[7]]);
  });

  test("goes on with the database of another user, under that user", async () => {
    copyUsed();
    const first = await start();
    await query(first, "CREATE TABLE t AS SELECT 7 AS n");
    await first.stop();
    execFileSync("chown", ["-R", `${DAEMON}:${DAEMON}`, join(dataDir, "postgres")]);
    await using second = await start();
    expect(await query(second, "SELECT n FROM t")).toEqual([[7]]);
    // The process writes this file when it starts.
    expect(await stat(join(dataDir, "postgres", "postmaster.pid"))).toMatchObject({ uid: DAEMON });
  });
});
