import { createServer, type Server } from "node:net";

/** A slot number that no other live runner of this machine uses. */
export interface SlotNumber extends AsyncDisposable {
  readonly number: number;
}

/** Bounds the locked numbers, far above the slots of a machine. Above it numbers are not locked. */
const MAX_NUMBER = 256;

/** Names numbers for locking, and finds those in use. */
export interface Numbering {
  /** Gives the name that a live runner locks. */
  nameOf: (number: number) => string;
  /** Gives whether an engine of a killed runner still uses the number: its processes would be ended. */
  isBusy: (number: number) => Promise<boolean>;
}

/**
 * Takes the lowest free numbers, from 0. Slots have users and plugin caches by number, so two runners of one machine must
 * not share one: a restarted runner may run beside one that waits for its apply. The lock is an abstract socket, which the
 * kernel releases with its process. Known on Linux only; elsewhere numbers are counted without a lock.
 */
export async function takeSlotNumbers({ nameOf, isBusy }: Numbering, count: number): Promise<SlotNumber[]> {
  const taken: SlotNumber[] = [];
  for (let number = 0; number < MAX_NUMBER && taken.length < count; number += 1) {
    const lock = process.platform === "linux" ? await lockName(`holdpoint-slot:${nameOf(number)}`) : null;
    if (lock === undefined) continue;
    if (await isBusy(number)) {
      await release(lock);
      continue;
    }
    taken.push({ number, [Symbol.asyncDispose]: () => release(lock) });
  }
  for (let number = MAX_NUMBER; taken.length < count; number += 1) {
    taken.push({ number, [Symbol.asyncDispose]: () => Promise.resolve() });
  }
  return taken;
}

/** Locks a name. `undefined`: another process has it; `null`: names cannot be locked here. */
function lockName(name: string): Promise<Server | null | undefined> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error) => {
      resolve("code" in error && error.code === "EADDRINUSE" ? undefined : null);
    });
    server.listen(`\0${name}`, () => {
      server.unref();
      resolve(server);
    });
  });
}

async function release(lock: Server | null): Promise<void> {
  if (lock === null) return;
  await new Promise((resolve) => lock.close(resolve));
}
