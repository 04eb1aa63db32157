/** A server of git with the part of GitHub's API that apps get their tokens by. */
import { generateKeyPairSync } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { jwtVerify } from "jose";
import { type GitServer, startGitServer } from "./git.ts";

const { publicKey, privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
/** As GitHub gives it. */
export const APP_KEY = privateKey.export({ type: "pkcs1", format: "pem" }).toString();
export const APP = { type: "APP", appId: "4711", privateKey: APP_KEY } as const;

export interface GithubServer extends AsyncDisposable {
  readonly git: GitServer;
  /** The requests to the API, with their bodies. */
  readonly asked: string[];
  /** Answers the next requests to the API in place of the server. */
  answer: ((response: ServerResponse) => void) | null;
}

/**
 * Starts it over the folders of `root`. The proof of an app must be valid at `now`; the tokens `token-1`, `token-2` and so on
 * are valid for an hour. The app is installed for `acme/infrastructure`, with the right to read contents.
 */
export async function startGithub(root: string, now: () => Date): Promise<GithubServer> {
  const asked: string[] = [];
  let tokens = 0;
  const answersElse = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!(request.url ?? "").startsWith("/api/v3/")) return false;
    void answer(request).then(
      ([status, body]) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body)),
      (error: unknown) => response.destroy(error instanceof Error ? error : undefined),
    );
    return true;
  };
  const git = await startGitServer(root, "nobody", "none", "127.0.0.1", (request, response) => {
    if (github.answer === null) return answersElse(request, response);
    github.answer(response);
    return true;
  });
  const answer = async (request: IncomingMessage): Promise<[number, object]> => {
    const body = request.method === "POST" ? await json(request) : null;
    asked.push(`${request.method} ${request.url}${body === null ? "" : ` ${JSON.stringify(body)}`}`);
    const proof = request.headers.authorization?.replace("Bearer ", "") ?? "";
    const options = { issuer: APP.appId, algorithms: ["RS256"], maxTokenAge: 600, currentDate: now() };
    const isProven = await jwtVerify(proof, publicKey, options).then(
      () => true,
      () => false,
    );
    if (!isProven) return [401, { message: "A JSON web token could not be decoded" }];
    if (request.url === "/api/v3/repos/acme/infrastructure/installation") return [200, { id: 42 }];
    if (request.url !== "/api/v3/app/installations/42/access_tokens") return [404, { message: "Not Found" }];
    tokens += 1;
    const token = `token-${tokens}`;
    git.accept("x-access-token", token);
    return [201, { token, expires_at: new Date(now().getTime() + 3_600_000).toISOString().replace(/\.\d+/, "") }];
  };
  const github: GithubServer = {
    git,
    asked,
    answer: null,
    [Symbol.asyncDispose]: () => git[Symbol.asyncDispose](),
  };
  return github;
}
