import type { Jobs } from "../domain/job/jobs.ts";
import type { Metrics } from "../http/observe/metrics.ts";

/** Returns the use cases of jobs, which count the batches of lines that they store. */
export function countingLogs(jobs: Jobs, metrics: Metrics): Jobs {
  return {
    ...jobs,
    async appendLog(caller, input) {
      const answer = await jobs.appendLog(caller, input);
      if (answer.ok) metrics.logBatch(input.summary.lineCount);
      return answer;
    },
  };
}
