/** How connections watch the token that opened them, with a watch and answers that the test makes up. */
import { createHash } from "node:crypto";
import { EventEmitter } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import {
  endWithToken,
  type OpenedBy,
  type TokenEndDeps,
  watchAnswer,
  watchToken,
} from "../../../src/http/kit/token-end.ts";
import type { ActorCaller } from "../../../src/model/people/permission.ts";
import type { TokenHolder, TokenState, WatchedToken } from "../../../src/model/people/token-watch.ts";
import { rightsOf } from "../../../src/model/people/rights.ts";
import { fakeCaller } from "../../support/fake-domain.ts";

const SECRET = "hpt_secret";
const HASH = createHash("sha256").update(SECRET).digest("base64");
const OPENED: OpenedBy = { caller: fakeCaller, secret: SECRET, address: "192.0.2.1" };

class Answer extends EventEmitter {
  closed = false;
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

function setup(caller: ActorCaller | null = fakeCaller) {
  const asked: unknown[] = [];
  const watched: { token: WatchedToken; check: () => Promise<TokenState>; holder: TokenHolder }[] = [];
  const left: TokenHolder[] = [];
  const state = { caller };
  const deps: TokenEndDeps = {
    // Would keep a session in use.
    authenticate: () => Promise.reject(new Error("An open connection is no request.")),
    recheck: async (secret, addressOf) => {
      asked.push([secret, addressOf()]);
      return state.caller;
    },
    addressOf: () => "192.0.2.1",
    secretOf: () => SECRET,
    watchToken: (token, check, holder) => {
      watched.push({ token, check, holder });
      return { leave: (one) => void left.push(one) };
    },
  };
  return { deps, asked, watched, left, state };
}

const HOLDER: TokenHolder = { tokenEnded: () => undefined };

describe("the watch of a token", () => {
  const tokenOf = (change: Partial<ActorCaller>) => {
    const { deps, watched } = setup();
    watchToken(deps, { ...OPENED, caller: { ...fakeCaller, ...change } }, HOLDER);
    return watched[0]?.token;
  };

  it("is by its id, its end and its secret, which is not kept", () => {
    const credentialId = fakeCaller.credentialId;
    expect(tokenOf({})).toEqual({ credentialId, variant: HASH });
    expect(tokenOf({ expiresAt: "2026-01-02T03:04:05.678Z" })).toEqual({
      credentialId,
      expiresAt: "2026-01-02T03:04:05.678Z",
      variant: HASH,
    });
  });

  it("is by the address as well where the token is bound to networks", () => {
    expect(tokenOf({ networks: ["192.0.2.0/24"] })?.variant).toBe(`${HASH} 192.0.2.1`);
  });

  it("of a run is woken by changes of the run", () => {
    const run = { id: "run_1", workspaceId: "ws_1", cap: { low: 0, high: 0 } };
    expect(tokenOf({ run })?.topic).toBe("run:run_1");
    expect(tokenOf({})).not.toHaveProperty("topic");
  });

  it("of a session is woken by changes of the token that opened it", () => {
    const openedBy = { id: "tok_2", shownAt: "2026-01-02T03:04:05.678Z", expiresAt: null };
    expect(tokenOf({ openedBy })?.openedById).toBe("tok_2");
    expect(tokenOf({})).not.toHaveProperty("openedById");
  });

  it("gives the end of now where it is another one", async () => {
    const { deps, watched, state } = setup();
    watchToken(deps, OPENED, HOLDER);
    const check = watched[0]?.check ?? expect.fail("Nothing is watched.");
    state.caller = { ...fakeCaller, expiresAt: "2026-01-02T03:04:05.678Z" };
    expect(await check()).toEqual({ until: "2026-01-02T03:04:05.678Z" });
    state.caller = fakeCaller;
    expect(await check()).toBe("VALID");
  });

  it("checks the secret again, from the address of the connection", async () => {
    const { deps, asked, watched, state } = setup();
    watchToken(deps, OPENED, HOLDER);
    const check = watched[0]?.check ?? expect.fail("Nothing is watched.");
    expect(await check()).toBe("VALID");
    expect(asked).toEqual([[SECRET, "192.0.2.1"]]);
    state.caller = { ...fakeCaller, rights: rightsOf([]) };
    expect(await check()).toBe("LESS_RIGHTS");
    state.caller = null;
    expect(await check()).toBe("ENDED");
  });

  it("is none on a server that watches no tokens", () => {
    const { recheck } = setup().deps;
    expect(watchToken({ recheck }, OPENED, HOLDER)).toBeNull();
    const answer = new Answer();
    watchAnswer(
      { ...setup().deps, watchToken: undefined } as unknown as TokenEndDeps,
      answer as unknown as ServerResponse,
      OPENED,
      () => undefined,
    );
    expect(answer.listenerCount("close")).toBe(0);
  });
});

describe("the watch of an answer", () => {
  it("ends with the answer, once", () => {
    const { deps, watched, left } = setup();
    const answer = new Answer();
    let ended = 0;
    watchAnswer(deps, answer as unknown as ServerResponse, OPENED, () => (ended += 1));
    expect([left, ended]).toEqual([[], 0]);
    watched[0]?.holder.tokenEnded("ENDED");
    expect(ended).toBe(1);
    answer.emit("close");
    answer.emit("close");
    expect(left).toEqual([watched[0]?.holder]);
  });
});

describe("a stream of server-sent events", () => {
  const open = async (caller: ActorCaller | null, closed = false) => {
    const world = setup(caller);
    const answer = Object.assign(new Answer(), { closed });
    await endWithToken(world.deps, {} as IncomingMessage, answer as unknown as ServerResponse, fakeCaller);
    return { ...world, answer };
  };

  it("is closed when its token ends", async () => {
    const { answer, watched, left, asked } = await open(fakeCaller);
    expect([answer.destroyed, asked]).toEqual([false, [[SECRET, "192.0.2.1"]]]);
    expect(watched[0]?.token).toEqual({ credentialId: fakeCaller.credentialId, variant: HASH });
    watched[0]?.holder.tokenEnded("ENDED");
    expect([answer.destroyed, left.length]).toEqual([true, 1]);
  });

  it("is closed at once where its token ended before the watch began", async () => {
    const { answer } = await open(null);
    expect(answer.destroyed).toBe(true);
  });

  it("that is closed already is not watched", async () => {
    const { watched, asked } = await open(fakeCaller, true);
    expect([watched, asked]).toEqual([[], []]);
  });
});
