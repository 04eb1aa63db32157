import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { createApi } from "../support/api.ts";
import { startInProcess } from "../support/in-process.ts";

const QUERY = "{ server { version publicUrl features } }";

test("the server names its version, its address and its features to those who are signed in", async () => {
  await using server = await startInProcess();
  const { version } = JSON.parse(await readFile(new URL("../../package.json", import.meta.url), "utf8"));
  expect((await server.api.ask(QUERY)).server).toEqual({
    version,
    publicUrl: "http://localhost",
    features: ["DIRECTORY_SOURCES"],
  });
  await expect(createApi(server.url, "hpt_unknown").ask(QUERY)).rejects.toThrow();
  expect(server.reported).toEqual([]);
});
