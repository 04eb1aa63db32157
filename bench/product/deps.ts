/** The product's use cases in this process: all that a server has but its HTTP and its rounds. */
import { randomBytes } from "node:crypto";
import type { PoolConfig } from "pg";
import { createRightsCache } from "../../src/domain/kit/rights-cache.ts";
import type { Deps } from "../../src/domain/kit/deps.ts";
import { createEvaluator } from "../../src/evaluator/evaluator.ts";
import { createIds } from "../../src/model/kit/id.ts";
import { createBlobStore } from "../../src/persistence/blob/blobs.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { openDatabase } from "../../src/persistence/database/database.ts";
import { createNotifier, type Notifier } from "../../src/persistence/database/notifier.ts";

export interface OpenedDeps extends AsyncDisposable {
  readonly deps: Deps;
}

/**
 * Opens the product's dependencies. Failures beside the answers are errors of the benchmark. `connections`: the size of the
 * pool. `onCommit`: called after a commit, before listeners are notified.
 */
export function openDeps(
  connection: PoolConfig,
  masterKey: string,
  connections: number,
  onCommit: () => void = () => undefined,
): OpenedDeps {
  const stack = new AsyncDisposableStack();
  const fail = (error: unknown): never => {
    throw error;
  };
  const hints = stack.use(createNotifier(connection, fail));
  const notifier: Notifier = {
    send(topics) {
      onCommit();
      hints.send(topics);
    },
    [Symbol.asyncDispose]: async () => {},
  };
  const database = stack.use(openDatabase({ ...connection, max: connections }, { notifier, onError: fail }));
  const cipher = createCipher(Buffer.from(masterKey, "hex"));
  const evaluator = createEvaluator();
  stack.defer(() => evaluator.close());
  const clock = (): Date => new Date();
  const deps: Deps = {
    database,
    rights: createRightsCache({ database, clock }),
    cipher,
    blobs: createBlobStore({ database, cipher, clock, onError: fail }, null),
    clock,
    newId: createIds(clock, (count) => randomBytes(count)),
    randomBytes: (count) => randomBytes(count),
    sourceRoots: [],
    hasIdentityProvider: false,
    sponsoredMs: 0,
    git: {
      fetch: () => Promise.reject(new Error("Nothing is fetched here.")),
      read: () => Promise.reject(new Error("Nothing is fetched here.")),
      [Symbol.asyncDispose]: async () => {},
    },
    refs: { read: () => Promise.reject(new Error("Nothing is read here.")), [Symbol.asyncDispose]: async () => {} },
    appTokens: { of: () => Promise.reject(new Error("Nothing is read here.")) },
    evaluator,
    prober: {
      probe: () => Promise.reject(new Error("Nothing is probed here.")),
      checkExpression: () => Promise.resolve(null),
      allows: () => true,
    },
    webhooks: { enqueue: () => Promise.resolve() },
    webhookAllow: [],
    issuerAllow: [],
    publicUrl: null,
    reportError: fail,
  };
  return { deps, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
