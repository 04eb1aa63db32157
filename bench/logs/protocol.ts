/** Logs as runners send them: by HTTP, each job with its own token and connection, one post after the other. */
import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runnerToken } from "../../src/domain/token/credentials.ts";
import { createCipher } from "../../src/persistence/installation/cipher.ts";
import { JobClient } from "../../src/runner/server/job-client.ts";
import { JobControl } from "../../src/runner/job/job-control.ts";
import { LogPosts } from "../../src/runner/log/log-posts.ts";
import { RUNNER_LIMITS } from "../../src/runner/kit/runner-limits.ts";
import { createScript } from "../whole-run/script.ts";
import type { Line } from "./lines.ts";
import { post } from "./post.ts";

const QUIET = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Sends posts until the time is over; gives the lines that were taken. */
export type Writers = (ms: number) => Promise<number>;

export interface Jobs {
  /** Claims new jobs, so that no log gets long, and makes what writes into their logs. */
  open(count: number, posts: readonly (readonly Line[])[]): Promise<Writers>;
}

/** `url` of a server without runners of its own; `folder` is where its sources lie. */
export async function createJobsOf(
  url: string,
  tokens: { admin: string; masterKey: string },
  folder: string,
): Promise<Jobs> {
  const source = join(folder, "source");
  await mkdir(source, { recursive: true });
  await writeFile(join(source, "main.tf"), "");
  const script = createScript(url, tokens.admin);
  const token = runnerToken(createCipher(Buffer.from(tokens.masterKey, "hex")));
  const former: Job[] = [];
  return {
    async open(count, posts) {
      // An organization has only so many at work.
      for (const job of former.splice(0)) await endJob(url, job);
      const jobs: Job[] = [];
      for (let index = 0; index < count; index += 1) {
        const workspaceId = await script.createWorkspace(`logs-${randomUUID()}`, source);
        await script.createRun(workspaceId);
        jobs.push(await claimJob(url, token));
      }
      former.push(...jobs);
      return async (ms) => {
        const end = performance.now() + ms;
        const counts = await Promise.all(jobs.map((job) => write(url, job, posts, end)));
        return counts.reduce((sum, one) => sum + one, 0);
      };
    },
  };
}

interface Job {
  readonly id: string;
  readonly token: string;
  nextLine: number;
}

async function claimJob(url: string, token: string): Promise<Job> {
  const body = {
    claimId: randomUUID(),
    runner: { name: "bench", version: "1", instance: "process", labels: [], slots: 1, draining: false },
    engine: { name: "terraform", version: "1.11.4" },
    waitMs: 5000,
  };
  const answer = await post(`${url}/runner/v1/claim`, undefined, token, JSON.stringify(body));
  const { job }: { job: Job } = JSON.parse(answer);
  return job;
}

async function endJob(url: string, { id, token }: Job): Promise<void> {
  const failure = { code: "SOURCE_FETCH_FAILED", stage: "SETUP", summary: "Enough.", message: "Enough.", evidence: [] };
  const message = JSON.stringify({ sequence: 1, type: "failed", failure });
  await post(`${url}/runner/v1/jobs/${id}/messages`, undefined, token, message);
}

/** As the runner sends them: what the text of the lines and the requests cost is in the figures. */
async function write(url: string, job: Job, posts: readonly (readonly Line[])[], end: number): Promise<number> {
  const control = new JobControl(RUNNER_LIMITS.deliveryMs);
  const { id: jobId, token, nextLine } = job;
  const client = new JobClient({ serverUrl: url, jobId, token, control, limits: RUNNER_LIMITS, log: QUIET });
  const inFlight = new LogPosts({ client, nextLine, log: QUIET });
  for (let index = 0; performance.now() < end || !inFlight.isIdle; ) {
    if (performance.now() < end && !inFlight.isFull) {
      inFlight.post("PREPARE", posts[index % posts.length] ?? []);
      index += 1;
    } else {
      const { lineCount, resend } = await inFlight.settle();
      if (resend) throw new Error(`The server has taken ${lineCount} lines of a post, and asks for others.`);
      job.nextLine += lineCount;
    }
  }
  return job.nextLine - nextLine;
}
