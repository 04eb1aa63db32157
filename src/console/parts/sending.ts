/** A command of a page: whether it is on its way, and how it was refused. */
import { useState } from "react";
import type { UserErrorCode } from "../generated/graphql.ts";
import type { DocumentText } from "../live/documents.ts";
import { client } from "../live/link.ts";
import { type Issue, lostAnswer, refusalOf, type Refused } from "./refused.ts";

/** The members of the answer to a command that are no refusals. */
export type SuccessOf<TResult> = Exclude<TResult[keyof TResult], { readonly code: UserErrorCode }>;

/** Stops a command before it is sent: what it changes is not as the person saw it, or cannot be read. */
export class NotSentError extends Error {
  /** The problems of single fields. */
  readonly issues: readonly Issue[];

  constructor(message: string, issues: readonly Issue[] = []) {
    super(message);
    this.issues = issues;
  }
}

/** Creates the error of a field that has to be corrected before anything is sent. */
export const wrongField = (name: string, message: string): NotSentError =>
  new NotSentError("Nothing was sent. Correct the fields that are marked.", [{ path: [name], message }]);

/** The input of a command, or the function that makes it from what the API has now. It may throw a NotSentError. */
export type InputOf<TInput extends object> = TInput | (() => Promise<TInput>);

export interface Sending<TResult, TInput extends object> {
  readonly state: "IDLE" | "SENDING" | "DONE";
  readonly refused: Refused | null;
  /** Sends the command. Gives the success, or `null` if it was refused. */
  readonly send: (input: InputOf<TInput>) => Promise<SuccessOf<TResult> | null>;
}

/**
 * Gives the function that sends a command. The answer goes past the cache, because it may hold a secret: a page reads
 * again what the command has changed.
 */
export function useSending<TResult extends object, TInput extends object>(
  text: DocumentText<TResult, { input: TInput }>,
): Sending<TResult, TInput> {
  const [state, setState] = useState<Sending<TResult, TInput>["state"]>("IDLE");
  const [refused, setRefused] = useState<Refused | null>(null);
  const send = async (input: InputOf<TInput>): Promise<SuccessOf<TResult> | null> => {
    setState("SENDING");
    setRefused(null);
    try {
      const answer = await client.request(text, { input: isFunction(input) ? await input() : input });
      const found = refusalOf(answer);
      setRefused(found);
      setState(found === null ? "DONE" : "IDLE");
      return found === null ? successOf<TResult>(answer) : null;
    } catch (error) {
      const cause = error instanceof Error ? error.message : String(error);
      setRefused(error instanceof NotSentError ? notSent(error) : lostAnswer(cause));
      setState("IDLE");
      return null;
    }
  };
  return { state, refused, send };
}

const notSent = ({ message, issues }: NotSentError): Refused => ({ message, issues, url: null });

function isFunction<TInput extends object>(input: InputOf<TInput>): input is () => Promise<TInput> {
  return typeof input === "function";
}

function successOf<TResult>(answer: object): SuccessOf<TResult> {
  const [result]: unknown[] = Object.values(answer);
  // oxlint-disable-next-line typescript/consistent-type-assertions -- the answer has one field, and it is no refusal
  return result as SuccessOf<TResult>;
}
