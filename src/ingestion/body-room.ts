import type { ServerResponse } from "node:http";
import { JobError } from "../domain/job/job-error.ts";

/** Memory for bodies. What a request took is given back when its answer is through. */
export interface BodyRoom {
  /** Gives what asks for room for the next piece, and throws BUSY where there is none. */
  open(response: ServerResponse): (bytes: number) => void;
}

/** Many large bodies at once must not end the server: who comes on top of them is asked to come again. */
export function createBodyRoom(mostBytes: number): BodyRoom {
  let taken = 0;
  return {
    open(response) {
      let own = 0;
      response.once("close", () => {
        taken -= own;
        own = 0;
      });
      return (bytes) => {
        if (taken + bytes > mostBytes) throw new JobError("BUSY", "Too much is being sent at this moment: try again.");
        if (response.closed) return;
        taken += bytes;
        own += bytes;
      };
    },
  };
}
