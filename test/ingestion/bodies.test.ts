/** Bodies that are too large, too slow or too many, over real connections. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request as httpRequest } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createBodyBudget } from "../../src/ingestion/body-budget.ts";
import { readBody } from "../../src/ingestion/body.ts";
import { createUnauthenticatedLog } from "../../src/ingestion/unauthenticated-log.ts";
import { JobError } from "../../src/domain/job/job-error.ts";
import { openScene, type Scene, type Spot } from "../domain/scene.ts";

let scene: Scene;
let plan: Spot;
let apply: Spot;
beforeAll(async () => {
  scene = await openScene();
  plan = await scene.reach("PLANNING");
  apply = await scene.reach("APPLYING");
});
afterAll(() => scene[Symbol.asyncDispose]());
afterEach(() => expect(scene.server.reported.splice(0)).toEqual([]));

const MIB = 1024 * 1024;
const HUNDRED = 100 * MIB;

interface Sent {
  status: number;
  code: string;
  connection: string | undefined;
  /** How much the server took before the sender heard its answer. */
  sentBytes: number;
}

/** Streams a body, of which no more than a piece is in memory, until it is answered or all of it was sent. */
async function pour(
  spot: Spot,
  method: string,
  path: string,
  length: boolean,
  token = spot.job.job.token,
): Promise<Sent> {
  const piece = Buffer.alloc(64 * 1024, 0x20);
  let sentBytes = 0;
  const body = Readable.from(
    (function* () {
      for (; sentBytes < HUNDRED; sentBytes += piece.length) yield piece;
    })(),
  );
  const request = httpRequest(`${spot.job.url}/runner/v1/jobs/${spot.job.job.id}/${path}`, {
    method,
    agent: false,
    headers: { authorization: `Bearer ${token}`, ...(length && { "content-length": HUNDRED }) },
  });
  body.pipe(request);
  // The connection may be gone while it is still being written to, once the answer was heard.
  request.on("error", () => undefined);
  const [response]: IncomingMessage[] = await once(request, "response");
  const heardAfter = sentBytes;
  const pieces: Buffer[] = [];
  for await (const part of response ?? []) pieces.push(part);
  body.destroy();
  request.destroy();
  const { code } = JSON.parse(Buffer.concat(pieces).toString());
  return { status: response?.statusCode ?? 0, code, connection: response?.headers.connection, sentBytes: heardAfter };
}

describe("a body of 100 MiB", () => {
  it.each([
    ["POST", "log", 413, "TOO_LARGE", () => plan, false],
    ["POST", "log", 413, "TOO_LARGE", () => plan, true],
    ["POST", "messages", 413, "TOO_LARGE", () => plan, true],
    ["POST", "heartbeat", 413, "TOO_LARGE", () => plan, false],
    ["POST", "state/lock", 413, "TOO_LARGE", () => plan, true],
    // Not for this leg at all: not a piece of it is looked at.
    ["POST", "state", 403, "FORBIDDEN", () => plan, true],
    ["PUT", "archive", 403, "FORBIDDEN", () => apply, false],
  ] as const)("%s %s: %d, and the sender hears it", async (method, path, status, code, spot, length) => {
    const answer = await pour(spot(), method, path, length);
    expect(answer).toMatchObject({ status, code, connection: "close" });
    expect(answer.sentBytes).toBeLessThan(HUNDRED);
  });

  it("is not kept in memory, however many come", async () => {
    const before = process.memoryUsage();
    const answers = await Promise.all(Array.from({ length: 8 }, () => pour(plan, "POST", "log", false)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 413));
    const after = process.memoryUsage();
    expect(after.arrayBuffers + after.external - before.arrayBuffers - before.external).toBeLessThan(HUNDRED);
  });

  it("of nobody's, and of a job that is over, is not read either", async () => {
    expect(await pour(plan, "PUT", "archive", true, "hpj_x")).toMatchObject({ status: 401, connection: "close" });
    const over = await scene.reach("FAILED");
    expect(await pour(over, "PUT", "archive", false)).toMatchObject({ status: 410, code: "JOB_OVER" });
  });
});

describe("a body that does not come", () => {
  async function served(read: (request: IncomingMessage) => Promise<unknown>) {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const server = createServer((request) => {
      read(request).then(resolve, resolve);
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    return {
      socket,
      result: promise,
      async [Symbol.asyncDispose]() {
        socket.destroy();
        server.closeAllConnections();
        await new Promise((done) => server.close(done));
      },
    };
  }

  it("is waited for as long as pieces come, and no longer", async () => {
    await using slow = await served((request) => readBody(request, 1000, { silenceMs: 200 }));
    slow.socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
    expect(await slow.result).toMatchObject({ code: "TIMED_OUT" });
  });

  it("and whose sender leaves is nobody's fault", async () => {
    const { promise: came, resolve: comes } = Promise.withResolvers<void>();
    await using gone = await served((request) => {
      comes();
      return readBody(request, 1000);
    });
    gone.socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc");
    await came;
    gone.socket.destroy();
    expect(await gone.result).toMatchObject({ code: "ECONNRESET" });
  });
});

it("bodies have room together, which the end of a request gives back", () => {
  const room = createBodyBudget(10);
  const [one, two] = [room.open(), room.open()];
  one.take(6);
  expect(() => two.take(5)).toThrow(JobError);
  two.take(4);
  one[Symbol.dispose]();
  two.take(6);
  expect(() => two.take(1)).toThrow("Try again");
});

it("strangers are told of once a minute, without what they sent", () => {
  let now = 0;
  const lines: object[] = [];
  const tell = createUnauthenticatedLog({ clock: () => new Date(now), warn: (facts) => lines.push(facts) });
  const request = { socket: { remoteAddress: "192.0.2.1" } } as IncomingMessage;
  for (let i = 0; i < 50; i++) tell(request);
  now += 60_000;
  tell(request);
  expect(lines).toEqual([
    { from: "192.0.2.1", requests: 1 },
    { from: "192.0.2.1", requests: 50 },
  ]);
});
