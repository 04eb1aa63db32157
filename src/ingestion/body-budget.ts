import { JobError } from "../domain/job/job-error.ts";

/** Memory for bodies. */
export interface BodyRoom {
  open(): BodyPlace;
}

/** The room that one request holds until its end. */
export interface BodyPlace extends Disposable {
  /** Reserves room for the next piece. Throws BUSY if there is none. */
  take(bytes: number): void;
}

/** Many large bodies at once must not end the server: who comes on top of them is asked to come again. */
export function createBodyRoom(mostBytes: number): BodyRoom {
  let taken = 0;
  return {
    open() {
      let own = 0;
      return {
        take(bytes) {
          if (taken + bytes > mostBytes)
            throw new JobError("BUSY", "Too much is being sent at this moment: try again.");
          taken += bytes;
          own += bytes;
        },
        [Symbol.dispose]() {
          taken -= own;
          own = 0;
        },
      };
    },
  };
}
