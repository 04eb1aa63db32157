import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openScene, type Scene } from "../domain/scene.ts";

let scene: Scene;
let client: Client;
beforeAll(async () => {
  scene = await openScene();
  client = new Client({ ...scene.server.testDatabase.connection });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await scene[Symbol.asyncDispose]();
});

/** Postgres answers every write to `run`, and every probe, as it does on a full disk. */
const FILL = `
  create function no_space() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create trigger no_space before insert on run for each row execute function no_space();
  create function no_probe() returns event_trigger language plpgsql as $$
    begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
  create event trigger no_probe on ddl_command_start when tag in ('CREATE TABLE AS') execute function no_probe();`;
const FREE = "drop event trigger no_probe; drop trigger no_space on run;";

test("a full disk is named, the server is not ready, and both end with it", async () => {
  const { database } = scene.server.deps;
  const workspaceId = await scene.createWorkspace();
  expect(await database.isFull()).toBe(false);
  await client.query(FILL);
  const query = "mutation ($input: CreateRunInput!) { createRun(input: $input) { __typename } }";
  const refused = await scene.api.send(query, { input: { workspaceId } });
  expect(refused.errors).toMatchObject([
    {
      message: expect.stringMatching(/disk of the database is full.*nothing was stored/),
      extensions: { code: "STORE_UNAVAILABLE" },
    },
  ]);
  expect(await database.isFull()).toBe(true);
  await client.query(FREE);
  expect(await database.isFull()).toBe(false);
  const accepted = await scene.api.send(query, { input: { workspaceId } });
  expect(accepted.data).toEqual({ createRun: { __typename: "CreateRunSuccess" } });
});
