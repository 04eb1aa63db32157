import { closeSync, openSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openLogDestination } from "../../src/os/log-destination.ts";

test("a full disk does not end or stop the process, and there is a log again when there is space", async () => {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-log-"));
  const path = join(folder, "log");
  const fd = openSync("/dev/full", "w");
  const log = pino({}, openLogDestination(fd));
  log.info("lost");
  log.fatal("lost as well");
  // The lowest free number is given: the disk behind it has space now.
  closeSync(fd);
  expect(openSync(path, "w")).toBe(fd);
  log.info("first");
  log.fatal("second");
  closeSync(fd);
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  await rm(folder, { recursive: true });
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(["first", "second"]);
});
