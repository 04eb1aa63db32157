import { createServer, type Server } from "node:net";

/** A number under which no other live runner of this machine has the same name. */
export interface SlotNumber extends AsyncDisposable {
  readonly number: number;
}

/** Far more than a machine has slots; whoever takes all the names may keep others from numbers of their own, no more. */
const MAX_NUMBER = 256;

/** What a number stands for. */
export interface Numbering {
  /** Under this name a live runner has it. */
  nameOf: (number: number) => string;
  /** Whether a killed runner's engine still works under it: whoever has the number ends what it finds there. */
  isBusy: (number: number) => Promise<boolean>;
}

/**
 * The lowest numbers that are free, from 0. Slots have users and plugin caches by their numbers, so that two runners of
 * one machine (a restarted one beside the one that still waits for an apply, say) must not have the same. The lock is an
 * abstract socket: the kernel lets it go with its process, however that ends. Known on Linux only; elsewhere the
 * numbers are simply counted.
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

/** undefined: somebody else has it; null: names cannot be locked here. */
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
