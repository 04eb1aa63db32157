import type { Worker } from "node:worker_threads";

export interface AwaitedThread<Answer> {
  /** The work of the thread, for errors: `parses states`. */
  work: string;
  isAnswer: (message: unknown) => message is Answer;
}

/** Waits for the one message of a worker thread, and ends the thread. Rejects if the thread fails, or ends without one. */
export async function threadAnswer<Answer>(worker: Worker, { work, isAnswer }: AwaitedThread<Answer>): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  worker.once("message", (message: unknown) => {
    if (isAnswer(message)) resolve(message);
    else reject(new Error(`The thread that ${work} sent an unexpected message.`));
  });
  worker.once("error", reject);
  worker.once("exit", (code) => reject(new Error(`The thread that ${work} ended with ${code}.`)));
  try {
    return await promise;
  } finally {
    await worker.terminate();
  }
}
