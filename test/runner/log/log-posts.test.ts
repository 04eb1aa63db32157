/** How lines get to a server, against a server in memory. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { LOG_TEXT_TYPE, type LogAppend, writeLogText } from "../../../src/model/log/log-text.ts";
import { JobControl } from "../../../src/runner/job/job-control.ts";
import { RUNNER_LIMITS, type RunnerLimits } from "../../../src/runner/kit/runner-limits.ts";
import { LogPosts } from "../../../src/runner/log/log-posts.ts";
import { JobClient } from "../../../src/runner/server/job-client.ts";

interface Asked {
  url: string | undefined;
  type: string | undefined;
  authorization: string | undefined;
  body: string;
}
/** null: none comes. */
type Answer = { status: number; body?: object } | null;

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const LINES = [
  { at: "2026-11-20T16:07:25.447Z", text: "ünïcode" },
  { at: "2026-11-20T16:07:25.448Z", text: "", stream: "STDERR" },
] as const;
const TAKEN = { status: 200, body: { nextLine: 9, atOnce: 1 } };

let asked: Asked[];
/** What is answered, one after the other; the last one again and again. */
let answers: Answer[];
const server = createServer((request, response) => void serve(request, response));
async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url, headers } = request;
  const body = Buffer.concat(await request.toArray()).toString();
  asked.push({ url, type: headers["content-type"], authorization: headers.authorization, body });
  const answer = answers.length > 1 ? answers.shift() : answers[0];
  if (answer) response.writeHead(answer.status).end(JSON.stringify(answer.body ?? {}));
}
let serverUrl: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  serverUrl = `http://127.0.0.1:${address !== null && typeof address === "object" ? address.port : 0}/below`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  asked = [];
  answers = [TAKEN];
});

function connect(limits: Partial<RunnerLimits> = {}) {
  const control = new JobControl(1000);
  const all = { ...RUNNER_LIMITS, backOffFirstMs: 1, backOffLastMs: 1, ...limits };
  const client = new JobClient({ serverUrl, jobId: "job_1", token: "secret", control, limits: all, log: quiet });
  return {
    control,
    append: async () => (await client.appendLog({ phase: "PLAN", firstLine: 7, lines: LINES })).nextLine,
  };
}

test("lines are sent as text; a refusal of the text is not retried", async () => {
  const { append } = connect();
  expect(await append()).toBe(9);
  const text = {
    url: "/below/runner/v1/jobs/job_1/log?phase=PLAN&firstLine=7",
    type: LOG_TEXT_TYPE,
    authorization: "Bearer secret",
    body: writeLogText(LINES),
  };
  expect(asked).toEqual([text]);
  answers = [{ status: 400 }];
  await expect(append()).rejects.toThrow("status 400");
  expect(asked).toEqual([text, text]);
});

test("what fails is sent again until it is answered; a conflict says which line is next", async () => {
  answers = [{ status: 503 }, { status: 302 }, { status: 429 }, { status: 409, body: { nextLine: 3 } }];
  expect(await connect().append()).toBe(3);
  expect(asked).toHaveLength(4);
  answers = [null, TAKEN];
  expect(await connect({ requestMs: 50 }).append()).toBe(9);
  expect(answers).toEqual([TAKEN]);
});

test("a job that is over is given up, and so is what is under way when it ends", async () => {
  answers = [{ status: 410, body: { code: "JOB_OVER", message: "over" } }];
  const refused = connect();
  await expect(refused.append()).rejects.toThrow("JOB_OVER: over (status 410)");
  expect(refused.control.isLost).toBe(true);
  answers = [null];
  const held = connect();
  const answer = held.append().catch((error: unknown) => error);
  await once(server, "request");
  held.control.lose();
  expect(await answer).toBe(held.control.ended.reason);
  expect(asked).toHaveLength(2);
});

test("where posts wait in vain for those before them there is one at a time, and each try with two comes later", async () => {
  const following: boolean[] = [];
  let isAlone = false;
  const appendLog = async ({ firstLine, lines }: LogAppend, follows = false) => {
    following.push(follows);
    return { nextLine: firstLine + lines.length, atOnce: follows && !isAlone ? 1 : 8 };
  };
  const posts = new LogPosts({ client: { appendLog }, nextLine: 1, log: quiet });
  const settle = async (count: number): Promise<number> => {
    following.length = 0;
    for (let settled = 0; settled < count; settled += 1) {
      while (!posts.isFull) posts.post("PLAN", LINES);
      expect(await posts.settle()).toEqual({ lineCount: LINES.length, resend: false });
    }
    return following.filter(Boolean).length;
  };
  expect(await settle(20)).toBeGreaterThan(0);
  expect(await settle(400)).toBeLessThan(20);
  // The other server is gone.
  isAlone = true;
  await settle(1000);
  expect(await settle(100)).toBe(100);
});
