/** `npm test` needs an engine and git; everything else comes with the install or with the system. */
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { waitUntil } from "../support/eventually.ts";
import { startProgram } from "../support/nats-server.ts";

test("only the tests of `npm run test:nats` start a nats-server", async () => {
  const folder = join(import.meta.dirname, "..");
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".ts"));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const starting = files.filter((_, index) => /import .*\bstartNatsServer\b.* from/.test(texts[index] ?? ""));
  expect(starting.length).toBeGreaterThan(0);
  expect(starting.filter((name) => !name.startsWith("nats/"))).toEqual([]);
});

test("a program that is missing is named, and its port is left alone", async () => {
  // Accepts, and never greets.
  const server = createServer();
  let openCount = 0;
  let acceptedCount = 0;
  server.on("connection", (socket) => {
    openCount += 1;
    acceptedCount += 1;
    socket.on("error", () => undefined).on("close", () => (openCount -= 1));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  await expect(startProgram("no-such-server", [], port)).rejects.toThrow(
    /no-such-server cannot be started: install it/,
  );
  await waitUntil(() => openCount === 0);
  expect(acceptedCount).toBeLessThanOrEqual(1);
  await new Promise((resolve) => server.close(resolve));
});
