/** A tail over pages that the test gives, with a watch whose hints the test sends. */
import { describe, expect, it } from "vitest";
import type { Watch } from "../../src/bus/hub.ts";
import { createTail, type TailPage, type TailSource } from "../../src/bus/tail.ts";

type Page = TailPage<string>;
type Step = Page | Error | (() => Promise<Page>);

const page = (...items: string[]): Page => ({ items, ended: false });
const last = (...items: string[]): Page => ({ items, ended: true });
const NOTHING = page();
const LOST = Object.assign(new Error("The database is away."), { code: "ECONNREFUSED" });

function setup(steps: Step[], options: Pick<TailSource<string>, "quiet" | "admit"> | null = {}) {
  const log: string[] = [];
  const waits: (() => void)[] = [];
  const watch: Watch = {
    reset: () => void log.push("reset"),
    changed: (timeoutMs) => {
      log.push(`wait ${timeoutMs}`);
      return new Promise((resolve) => waits.push(resolve));
    },
    [Symbol.dispose]: () => {
      log.push("dispose");
      for (const wake of waits.splice(0)) wake();
    },
  };
  const read = async (): Promise<Page> => {
    log.push("read");
    const step = steps.shift() ?? expect.fail("Nothing more was to be read.");
    if (step instanceof Error) throw step;
    return typeof step === "function" ? step() : step;
  };
  const onIdle = (): void => void log.push("idle");
  const tail = createTail<string>({ read, watch, pollMs: 500, ...(options !== null && { onIdle, ...options }) });
  return {
    tail,
    log,
    /** What happened since it was asked the last time. */
    happened: (): string => log.splice(0).join(", "),
    hint: async (): Promise<void> => {
      await settle();
      const wake = waits.shift() ?? expect.fail("Nothing waits for a hint.");
      wake();
    },
  };
}

/** Lets everything happen that can. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await Promise.resolve();
}

const item = (value: string) => ({ done: false, value });
const DONE = { done: true, value: undefined };

describe("a tail", () => {
  it("reads a page when it is asked, hands out its items in order, and ends behind the last one", async () => {
    const { tail, happened } = setup([page("a", "b"), last("c")]);
    expect(happened()).toBe("");
    expect(await tail.next()).toEqual(item("a"));
    expect(happened()).toBe("reset, read");
    expect(await tail.next()).toEqual(item("b"));
    expect(happened()).toBe("");
    expect(await tail.next()).toEqual(item("c"));
    expect(happened()).toBe("reset, read");
    expect(await tail.next()).toEqual(DONE);
    expect(happened()).toBe("dispose");
    expect(await tail.next()).toEqual(DONE);
    expect(happened()).toBe("");
    expect(tail[Symbol.asyncIterator]()).toBe(tail);
  });

  it("waits for a hint where there is nothing, and is idle before that", async () => {
    const { tail, happened, hint } = setup([NOTHING, NOTHING, page("a")]);
    const next = tail.next();
    await hint();
    await hint();
    expect(await next).toEqual(item("a"));
    expect(happened()).toBe("reset, read, idle, wait 500, reset, read, idle, wait 500, reset, read");
  });

  it("ends at once where nothing is left", async () => {
    const { tail, happened } = setup([last()]);
    expect(await tail.next()).toEqual(DONE);
    expect(happened()).toBe("reset, read, dispose");
  });

  it("answers several questions in their order", async () => {
    const { tail } = setup([page("a"), page("b", "c")]);
    expect(await Promise.all([tail.next(), tail.next(), tail.next()])).toEqual(["a", "b", "c"].map(item));
  });

  it("needs no listener for being idle", async () => {
    const { tail, hint } = setup([NOTHING, page("a")], null);
    const next = tail.next();
    await hint();
    expect(await next).toEqual(item("a"));
  });
});

describe("a tail that is closed", () => {
  it("ends a question that waits, and gives nothing of what it had", async () => {
    const { tail, happened } = setup([page("a", "b"), NOTHING]);
    expect(await tail.next()).toEqual(item("a"));
    expect(await tail.return?.()).toEqual(DONE);
    expect(await tail.next()).toEqual(DONE);
    expect(happened()).toBe("reset, read, dispose");
    const other = setup([NOTHING]);
    const waiting = other.tail.next();
    await settle();
    expect(await other.tail.return?.()).toEqual(DONE);
    expect(await waiting).toEqual(DONE);
    expect(other.happened()).toBe("reset, read, idle, wait 500, dispose");
  });

  it("gives nothing of a page that was being read", async () => {
    const reading = Promise.withResolvers<Page>();
    const { tail, happened } = setup([() => reading.promise]);
    const next = tail.next();
    await settle();
    await tail.return?.();
    reading.resolve(page("a"));
    expect(await next).toEqual(DONE);
    expect(happened()).toBe("reset, read, dispose");
  });

  it("is not idle where it was closed while it read", async () => {
    const reading = Promise.withResolvers<Page>();
    const { tail, happened } = setup([() => reading.promise]);
    const next = tail.next();
    await settle();
    await tail.return?.();
    reading.resolve(NOTHING);
    expect(await next).toEqual(DONE);
    expect(happened()).toBe("reset, read, dispose");
  });

  it("by an error gives that error back", async () => {
    const { tail, happened } = setup([page("a")]);
    const error = new Error("No more.");
    await expect(tail.throw?.(error)).rejects.toBe(error);
    expect(await tail.next()).toEqual(DONE);
    expect(happened()).toBe("dispose");
  });
});

describe("a read that fails", () => {
  it("ends the tail with its error, once", async () => {
    const broken = new Error("It is broken.");
    const { tail, happened } = setup([broken]);
    await expect(tail.next()).rejects.toBe(broken);
    expect(happened()).toBe("reset, read, dispose");
    expect(await tail.next()).toEqual(DONE);
    expect(happened()).toBe("");
  });

  it("ends nothing while the database is away, and nothing is idle then", async () => {
    const { tail, happened, hint } = setup([LOST, LOST, NOTHING, page("a")]);
    const next = tail.next();
    for (let waits = 0; waits < 3; waits += 1) await hint();
    expect(await next).toEqual(item("a"));
    expect(happened()).toBe("reset, read, wait 500, reset, read, wait 500, reset, read, idle, wait 500, reset, read");
  });
});

describe("a tail that is quiet", () => {
  const quiet = { reads: 2, atOnce: false, toItem: () => "quiet" };

  it("gives an item after so many looks that found nothing, and begins to count again", async () => {
    const { tail, hint, happened } = setup([...Array.from({ length: 6 }, () => NOTHING), page("a")], { quiet });
    for (let rounds = 0; rounds < 2; rounds += 1) {
      const next = tail.next();
      await hint();
      await hint();
      expect(await next).toEqual(item("quiet"));
      expect(happened().match(/read/g)).toHaveLength(3);
    }
    expect(await tail.next()).toEqual(item("a"));
  });

  it("gives one at the very first look, where it is to", async () => {
    const { tail, hint } = setup([NOTHING, NOTHING, page("a")], { quiet: { ...quiet, atOnce: true } });
    expect(await tail.next()).toEqual(item("quiet"));
    const next = tail.next();
    await hint();
    expect(await next).toEqual(item("a"));
  });

  it("counts from the last item, and from the last time that the database was away", async () => {
    const found = setup([NOTHING, page("a"), NOTHING, NOTHING, NOTHING], { quiet });
    const first = found.tail.next();
    await found.hint();
    expect(await first).toEqual(item("a"));
    const second = found.tail.next();
    await found.hint();
    await found.hint();
    expect(await second).toEqual(item("quiet"));
    const away = setup([NOTHING, LOST, NOTHING, NOTHING, NOTHING], { quiet });
    const next = away.tail.next();
    for (let waits = 0; waits < 4; waits += 1) await away.hint();
    expect(await next).toEqual(item("quiet"));
  });
});

describe("a page that was read at a version of rights", () => {
  const at = (accessVersion: number, ...items: string[]): Page => ({ items, ended: false, accessVersion });

  /** Answers questions about versions as the test decides. */
  function gate() {
    const asked: number[] = [];
    const answers: PromiseWithResolvers<boolean>[] = [];
    return {
      asked,
      admit: (accessVersion: number): Promise<boolean> => {
        asked.push(accessVersion);
        const answer = Promise.withResolvers<boolean>();
        answers.push(answer);
        return answer.promise;
      },
      answer: async (): Promise<PromiseWithResolvers<boolean>> => {
        await settle();
        return answers.shift() ?? expect.fail("Nothing was asked.");
      },
    };
  }

  it("is handed out after its version was admitted, once for the page", async () => {
    const { admit, answer, asked } = gate();
    const { tail } = setup([at(7, "a", "b"), at(7, "c")], { admit });
    let got: unknown = null;
    const next = tail.next().then((result) => (got = result));
    const first = await answer();
    await settle();
    expect([got, asked]).toEqual([null, [7]]);
    first.resolve(true);
    expect(await next).toEqual(item("a"));
    expect(await tail.next()).toEqual(item("b"));
    expect(asked).toEqual([7]);
    const third = tail.next();
    (await answer()).resolve(true);
    expect(await third).toEqual(item("c"));
    expect(asked).toEqual([7, 7]);
  });

  it("ends the tail where it is refused, without an item", async () => {
    const { admit, answer } = gate();
    const { tail, happened } = setup([at(7, "a")], { admit });
    const next = tail.next();
    (await answer()).resolve(false);
    expect(await next).toEqual(DONE);
    expect(happened()).toBe("reset, read, dispose");
  });

  it("is asked about at an end as well, and not without items", async () => {
    const { admit, answer, asked } = gate();
    const { tail, hint } = setup([at(6), { items: [], ended: true, accessVersion: 7 }], { admit });
    const next = tail.next();
    await hint();
    (await answer()).resolve(true);
    expect(await next).toEqual(DONE);
    expect(asked).toEqual([7]);
  });

  it("is not asked about where it shows nothing that takes a right", async () => {
    const { tail } = setup([page("a"), last("b")], { admit: () => expect.fail("There is nothing to ask.") });
    expect(await tail.next()).toEqual(item("a"));
    expect(await tail.next()).toEqual(item("b"));
    expect(await tail.next()).toEqual(DONE);
  });

  it("is handed out where no one asks about rights", async () => {
    const { tail } = setup([at(7, "a"), at(8, "b")], null);
    expect(await tail.next()).toEqual(item("a"));
    expect(await tail.next()).toEqual(item("b"));
  });

  it("is kept while the database is away, and asked about again", async () => {
    const { admit, answer, asked } = gate();
    const { tail, hint, happened } = setup([at(7, "a")], { admit });
    const next = tail.next();
    (await answer()).reject(LOST);
    await hint();
    (await answer()).resolve(true);
    expect(await next).toEqual(item("a"));
    expect([asked, happened()]).toEqual([[7, 7], "reset, read, wait 500"]);
  });

  it("ends the tail with the error of the check", async () => {
    const { admit, answer } = gate();
    const { tail, happened } = setup([at(7, "a")], { admit });
    const next = tail.next();
    const broken = new Error("It is broken.");
    (await answer()).reject(broken);
    await expect(next).rejects.toBe(broken);
    expect(happened()).toBe("reset, read, dispose");
    expect(await tail.next()).toEqual(DONE);
  });

  it("is not handed out where the tail was closed during the check", async () => {
    const { admit, answer } = gate();
    const { tail, happened } = setup([at(7, "a")], { admit });
    const next = tail.next();
    const asked = await answer();
    await tail.return?.();
    asked.resolve(true);
    expect(await next).toEqual(DONE);
    expect(happened()).toBe("reset, read, dispose");
  });
});
