/** What the examples of store functions are called with. */
import { sql } from "kysely";
import { ADMIN_ACTOR_ID, ADMIN_TOKEN_ID, SYSTEM_ACTOR_ID } from "../../../src/model/people/actor.ts";
import type { IdKind } from "../../../src/model/kit/id.ts";
import type { PageRequest } from "../../../src/model/kit/page.ts";
import type { Run } from "../../../src/model/run/run.ts";
import type { Workspace } from "../../../src/model/workspace/workspace.ts";
import type { Cipher } from "../../../src/persistence/installation/cipher.ts";
import { type Database, openDatabase, type Transaction } from "../../../src/persistence/database/database.ts";
import type { Notifier } from "../../../src/persistence/database/notifier.ts";
import { insertPlan } from "../../../src/persistence/plan/plan-store.ts";
import { putAdminToken } from "../../../src/persistence/people/token-store.ts";
import { fakePlan } from "../../support/fake-runner.ts";
import { createStatementLog, formatStatement } from "../../support/statement-log.ts";
import { AT, openStores } from "../../support/store-fixtures.ts";

export const LATER = "2026-01-03T03:04:05.678Z";

/** All examples of one store share a transaction that is rolled back, and go one by one: each finds what was before. */
export interface World {
  readonly tx: Transaction;
  /** For what wants more than one connection, or makes its own transaction. */
  readonly database: Database;
  readonly cipher: Cipher;
  readonly at: string;
  readonly actorId: string;
  readonly workspace: Workspace;
  /** QUEUED. */
  readonly run: Run;
  /** A runner has it. */
  readonly leased: Run;
  readonly jobId: string;
  readonly runnerId: string;
  /** Of the leased run. */
  readonly planId: string;
  readonly phaseId: string;
  readonly blobId: string;
  /** What an example needs and is not about: it is not recorded. */
  readonly prepare: (work: Promise<unknown>) => Promise<void>;
  /** The same id for a kind, whenever it is asked for. */
  readonly id: (kind: IdKind) => string;
}

export type Call = () => unknown;

type FunctionsOf<Module> = {
  [Name in keyof Module]: Module[Name] extends (...args: never[]) => unknown ? Name : never;
}[keyof Module];

/** A call of each function, by its name; of those that have several ways, "name: way". */
export type Examples<Module> = { [Name in FunctionsOf<Module>]: Call } & { [label: `${string}: ${string}`]: Call };

export interface ExampleStore {
  readonly functions: readonly string[];
  calls(world: World): [string, Call][];
}

/** `module`: the namespace of a store, so that none of its functions is forgotten. */
export function exampleStore<Module extends object>(
  module: Module,
  examples: (world: World) => Examples<Module>,
): ExampleStore {
  return {
    functions: Object.entries(module).flatMap(([name, value]) =>
      typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value)) ? [name] : [],
    ),
    calls: (world) => Object.entries<Call>(examples(world)),
  };
}

/** The two ways in which lists are asked: the first page, and one between two places from its end. */
export const FIRST: PageRequest<never> = { limit: 2, direction: "forward", after: null, before: null };
export function between<Position>(after: Position, before: Position): PageRequest<Position> {
  return { limit: 2, direction: "backward", after, before };
}

export interface OpenWorld extends AsyncDisposable {
  /** What a store's examples send, as one text. */
  record(store: ExampleStore): Promise<string>;
}

class Enough extends Error {}

export async function openWorld(): Promise<OpenWorld> {
  const stack = new AsyncDisposableStack();
  const stores = stack.use(await openStores());
  const workspace = await stores.addWorkspace("infra");
  const run = await stores.addRun(workspace);
  const leased = await stores.addRun(await stores.addWorkspace("other"));
  const jobId = await stores.addJob(leased);
  const runnerId = await stores.addRunner("another");
  const blobId = await stores.addBlob(leased.workspaceId);
  const planId = stores.newId("plan");
  const phaseId = await stores.addPhase(leased.id, "PLAN", runnerId);
  await stores.database.transaction(async (tx) => {
    const content = fakePlan({ digest: "digest" });
    const { id: runId } = leased;
    await insertPlan(tx, {
      id: planId,
      runId,
      version: 1,
      targets: [],
      replace: [],
      archiveBlobId: blobId,
      createdAt: AT,
      content,
    });
    await putAdminToken(tx, { id: ADMIN_TOKEN_ID, actorId: ADMIN_ACTOR_ID, secretHash: Buffer.alloc(32, 1), at: AT });
  });
  const log = createStatementLog();
  const notifier: Notifier = { send: () => undefined, [Symbol.asyncDispose]: () => Promise.resolve() };
  // The examples' transaction has one of two connections: what asks at the same time on the other has an order.
  const database = stack.use(
    openDatabase({ ...stores.connection, max: 2, Client: log.Client }, { notifier, onError: () => undefined }),
  );
  const facts = { at: AT, actorId: SYSTEM_ACTOR_ID, cipher: stores.cipher, database };

  async function record(store: ExampleStore): Promise<string> {
    const ids = new Map<IdKind, string>();
    const id = (kind: IdKind): string => {
      const made = ids.get(kind) ?? stores.newId(kind);
      ids.set(kind, made);
      return made;
    };
    const sections: string[] = [];
    const work = database.transaction(async (open) => {
      const last: (() => Promise<void>)[] = [];
      const tx: Transaction = { ...open, beforeCommit: (_, finish) => last.push(finish) };
      const prepare = async (prepared: Promise<unknown>): Promise<void> => {
        await prepared;
        log.take();
      };
      const rows = { workspace, run, leased, jobId, runnerId, planId, phaseId, blobId };
      const world: World = { ...facts, ...rows, tx, prepare, id };
      await prepare(sql`select 1`.execute(tx.sql));
      for (const [name, call] of store.calls(world)) {
        await drained(call).catch((cause: unknown) => {
          throw new Error(`${name}: ${String(cause)}`, { cause });
        });
        const sent = log.take();
        for (const finish of last.splice(0)) await finish();
        sections.push(section(name, sent, log.take()));
      }
      throw new Enough();
    });
    await work.catch((error: unknown) => {
      if (!(error instanceof Enough)) throw error;
    });
    return sections.join("\n");
  }
  return { record, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

async function drained(call: Call): Promise<void> {
  const result = await call();
  if (typeof result === "object" && result !== null && Symbol.asyncIterator in result) {
    await Array.fromAsync(result as AsyncIterable<unknown>);
  }
}

/** `last`: what was put off to the end of the transaction. */
function section(name: string, sent: string[], last: string[]): string {
  const blocks = (texts: string[]): string => texts.map((text) => `${formatStatement(text)};\n`).join("");
  const nothing = sent.length + last.length === 0 ? "-- sends nothing\n" : "";
  return `-- ${name}\n${nothing}${blocks(sent)}${last.length > 0 ? `-- before the commit:\n${blocks(last)}` : ""}`;
}
