import { JobError } from "../domain/job/job-error.ts";

/** The memory for the bodies of all requests. */
export interface BodyBudget {
  open(): BodyReservation;
}

/** The room that one request holds until its end. */
export interface BodyReservation extends Disposable {
  /** Reserves room for the next piece. Throws BUSY if there is none. */
  take(bytes: number): void;
}

/** Bounds the memory of all bodies: many large ones at once must not end the server. A client retries after BUSY. */
export function createBodyBudget(mostBytes: number): BodyBudget {
  let taken = 0;
  return {
    open() {
      let own = 0;
      return {
        take(bytes) {
          if (taken + bytes > mostBytes)
            throw new JobError("BUSY", "The server is receiving too much data at the moment. Try again.");
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
